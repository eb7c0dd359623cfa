"""The words and signs of currencies, in the languages of visitors."""

_CURRENCIES = {
    "RUB": "₽ р руб рубль рубля рублей рублях рублями рублям rub roubles rouble rubles ruble rubel rublos rublo rubli"
    " rubla rublů рублів рублі 卢布 盧布 ルーブル 루블 روبل",
    "USD": "$ us$ usd доллар доллара долларов долларах долларами доларів долари dollar dollars dollari dólares dólar"
    " dolares dolar dolarów dolary dolarů 美元 ドル 달러 دولار دولارات",
    "EUR": "€ eur евро євро euro euros euró avro ευρώ ευρω 欧元 歐元 ユーロ 유로 يورو",
    "GBP": "£ gbp фунт фунта фунтов фунтів pound pounds libras libra livres sterline funtów 英镑 ポンド",
    "CNY": "元 块 cny юань юаня юаней юанів yuan yuanes rmb 人民币",
    "JPY": "¥ 円 jpy иена иены иен yen yenes",
    "KZT": "₸ kzt тенге теңге tenge",
    "UAH": "₴ uah гривна гривны гривен гривень гривні грн",
    "BYN": "byn",
    "AED": "aed дирхам дирхама дирхамов dirham dirhams درهم",
    "SAR": "sar ريال",
    "TRY": "₺ try лира лиры лир lira liras",
    "PLN": "zł pln злотый злотых zloty złotych",
    "CZK": "kč czk",
    "INR": "₹ inr рупий рупии rupees",
    "CHF": "chf франков",
    "GEL": "₾ gel лари",
    "AMD": "֏ amd драм драмов",
    "UZS": "uzs сум сума сумов so'm so‘m so’m soʻm soʼm",
    "KRW": "₩ 원 krw",
    "BRL": "r$ brl reais real",
    "SEK": "sek",
    "VND": "₫ vnd",
}
CURRENCY_OF = {word: code for code, words in _CURRENCIES.items() for word in words.split()}
# In Chinese the sign of the yen is the yuan's.
ALSO = {"¥": "CNY"}
