/** What the server serves the page with, for tests of its modules: `test_modules.py` says it in PAGE_CONFIG. */

import { knowLimits } from "../../../apps/console/static/console/base/api.js";
import { knowChannels } from "../../../apps/console/static/console/base/display_names.js";

const { limits, channels, names } = JSON.parse(process.env.PAGE_CONFIG);
knowLimits(limits);
knowChannels(channels, names);
