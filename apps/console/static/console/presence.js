// Keeps the operator's socket open while the page is: with it, the operator is online.

const PING_EVERY_MS = 25_000;
const WAIT_MS = [500, 1_000, 2_000, 5_000, 10_000];

const line = /** @type {HTMLElement} */ (document.getElementById("presence"));
let failures = 0;

/** @param {"online" | "break" | "offline"} state */
function show(state) {
  line.dataset.state = state;
  line.textContent = line.dataset[state] ?? "";
}

/** @returns {Promise<string | null>} A ticket, or null when the session has ended. */
async function askForTicket() {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]");
  const headers = { "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "" };
  const answer = await fetch(line.dataset.ticket ?? "", { method: "POST", headers });
  if (answer.status === 401 || answer.status === 403) return null;
  if (!answer.ok) throw new Error(`no ticket: ${answer.status}`);
  return (await answer.json()).data.ticket;
}

async function connect() {
  try {
    const ticket = await askForTicket();
    if (ticket === null) {
      location.reload();
      return;
    }
    open(ticket);
  } catch {
    again();
  }
}

/** @param {string} ticket */
function open(ticket) {
  const socket = new WebSocket(line.dataset.socket ?? "");
  const pings = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ping", data: {} }));
  }, PING_EVERY_MS);
  socket.onopen = () => socket.send(JSON.stringify({ type: "auth", ticket }));
  socket.onmessage = (event) => {
    const frame = JSON.parse(event.data);
    if (frame.type !== "ready") return;
    failures = 0;
    show(frame.data.agent.status === "active" ? "online" : "break");
  };
  socket.onclose = () => {
    clearInterval(pings);
    again();
  };
}

function again() {
  show("offline");
  const wait = WAIT_MS[Math.min(failures, WAIT_MS.length - 1)] ?? 0;
  failures += 1;
  setTimeout(connect, wait * (0.5 + Math.random() / 2));
}

void connect();
