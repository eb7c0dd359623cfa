/** Emoji by their names in both languages; loaded when the button is pressed, or a name is begun. */

/** Each with its words, English and Russian. */
const NAMES = `
😀 smile grin улыбка радость|😃 happy счастье|😄 laugh смех|😁 beam сияю|😆 haha хаха|😅 sweat неловко|😂 tears joy слезы хохот|🙂 slight улыбаюсь|😉 wink подмигиваю
😊 blush приятно|😍 love eyes влюблен|😘 kiss поцелуй|😋 yum вкусно|😎 cool круто очки|🤔 think думаю|😐 neutral нейтрально|🙄 roll закатываю|😏 smirk ухмылка
😔 sad pensive грустно|😢 cry плачу|😭 sob рыдаю|😤 huff фыркаю|😠 angry злюсь|😱 scream ужас|😳 flushed смущен|🥺 please умоляю|😴 sleep сплю|🤒 sick болею
🤗 hug обнимаю|🤝 deal handshake рукопожатие договорились|👍 yes thumbs up палец да хорошо|👎 no thumbs down нет плохо|👌 okay отлично|✌️ peace мир|🤞 fingers crossed удачи
👏 clap аплодисменты браво|🙏 thanks pray спасибо пожалуйста|💪 strong сила|👋 wave hello привет пока|👇 down ниже вниз|👆 up выше вверх|👉 right вправо|👈 left влево
❤️ heart love сердце любовь|🧡 orange оранжевое|💛 yellow желтое|💚 green зеленое|💙 blue синее|💜 purple фиолетовое|🖤 black черное|💔 broken разбито|💕 hearts сердечки
🔥 fire огонь жара|✨ sparkles блеск|⭐ star звезда|🌟 glow сияние|🎉 party tada праздник ура|🎁 gift подарок|🎂 cake birthday торт рождения|🏆 trophy кубок|💯 hundred сто
✅ done check готово галочка|❌ cross нельзя крест|⚠️ warning внимание|❗ exclamation важно|❓ question вопрос|ℹ️ info справка|⏰ alarm будильник время|⏳ wait жду песок
📦 box package посылка коробка|🚚 delivery truck доставка|🚗 car машина|✈️ plane самолет|🏠 home дом|🏪 shop магазин|📍 place pin место адрес|🗺️ map карта
💳 card карта оплата|💰 money деньги|🧾 receipt чек|🛒 cart корзина|🏷️ price tag цена|📄 document документ|📎 clip скрепка|📷 photo camera фото|🎥 video видео
📞 phone call звонок телефон|📱 mobile мобильный|💻 computer компьютер|✉️ mail letter письмо почта|🔒 lock замок|🔑 key ключ|🔍 search поиск|🔗 link ссылка|⚙️ settings настройки
🌸 blossom цветок|🌹 rose роза|🌷 tulip тюльпан|💐 bouquet букет|🌿 leaf herb трава|🌞 sun солнце|🌧️ rain дождь|❄️ snow снег|🌈 rainbow радуга
☕ coffee кофе|🍵 tea чай|🍰 dessert десерт|🍕 pizza пицца|🍎 apple яблоко|🍓 strawberry клубника|🍷 wine вино|🍾 champagne шампанское|🐱 cat кот|🐶 dog собака|🐻 bear медведь
`;

/** @typedef {{sign: string, words: string[]}} Emoji */

/** @type {Emoji[]} */
export const EMOJI = NAMES.trim()
  .split(/[|\n]/)
  .map((line) => {
    const [sign = "", ...words] = line.split(" ");
    return { sign, words };
  });

/** Those of which a word begins so; those that are called so first. @param {string} begin @param {number} most */
export function named(begin, most) {
  const wanted = begin.toLowerCase().replaceAll("ё", "е");
  const rank = (/** @type {Emoji} */ { words }) => words.findIndex((word) => word.startsWith(wanted));
  return EMOJI.map((emoji) => ({ emoji, rank: rank(emoji) }))
    .filter(({ rank: place }) => place >= 0)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ emoji }) => emoji);
}
