"""Which language a text is in, of the seven."""

import pytest

from apps.ai.rules.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Есть ли тюльпаны?", "ru"),
        ("Do you have tulips?", "en"),
        ("Έχετε τουλίπες;", "el"),
        ("Haben Sie Tulpen?", "de"),
        ("Wie viel kosten die Tulpen?", "de"),
        ("Größe 42 lieferbar", "de"),
        ("Wann öffnen Sie morgen früh?", "de"),
        ("¿Tienen tulipanes?", "es"),
        ("Cuanto cuesta la entrega", "es"),
        ("هل لديكم زهور التوليب؟", "ar"),
        ("有郁金香吗？", "zh"),
        ("Где мой заказ ABC-123?", "ru"),
        ("where is my заказ please tell me", "en"),
        ("12345", None),
        ("👍", None),
        ("", None),
        ("iPhone", None),
    ],
)
def test_a_text_has_the_language_of_its_script_or_its_words(text: str, language: str | None) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Скільки коштує доставка до Києва?",
        "Колькі каштуе дастаўка?",
        "Жеткізу қанша тұрады?",
        "Колко струва доставката до София?",
        "Колико кошта достава?",
        "هزینه ارسال چقدر است؟",
        "ڈیلیوری کی قیمت کیا ہے؟",
        "Combien coûte la livraison ?",
        "Bonjour, avez-vous des roses ?",
        "Quanto costa la consegna?",
        "Hoeveel kost de bezorging?",
        "Kolik stojí doprava?",
        "Giao hàng bao nhiêu tiền?",
        "Quanto custa a entrega?",
        "Onde está o meu pedido?",
        "Teslimat ne kadar?",
        "Vad kostar leveransen?",
        "Var är min beställning?",
        "Ile kosztuje dostawa?",
        "Cât costă livrarea?",
        "送料はいくらですか？",
        "배송비가 얼마예요?",
        "Mennyibe kerül a szállítás?",
        "Paljonko toimitus maksaa?",
        "Ці ёсць у вас ружы?",
        "Калі адчыняецца ваша крама заўтра?",
        "Chci vrátit zboží a peníze",
        "Máte otevřeno i v neděli?",
        "İade süresi kaç gün oluyor?",
        "Kartla ödeme yapabilir miyim burada?",
        "Onko teillä ruusuja tänään myynnissä?",
        "Kuinka kauan toimitus kestää Ouluun?",
        "Haluan palauttaa tuotteen ja rahat",
        "Berapa harga pengiriman?",
        "डिलीवरी कितने की है?",
        "כמה עולה המשלוח?",
        "Koliko košta dostava?",
    ],
)
def test_another_language_is_none_of_the_seven(text: str) -> None:
    assert language_of(text) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Цена?", "ru"),
        ("розы", "ru"),
        ("price?", "en"),
        ("open today?", "en"),
        ("Preis?", "de"),
        ("Guten Tag", "de"),
        ("precio?", "es"),
        ("Donde esta mi pedido", "es"),
        ("τιμή", "el"),
        ("كم سعر التوصيل؟", "ar"),
        ("送货多少钱？", "zh"),
    ],
)
def test_a_few_words_tell_one_of_the_seven(text: str, language: str) -> None:
    assert language_of(text) == language
