"""The words of the floors, in the seven languages. Each is matched as `floors.py` says."""

# A person is asked for. Whole requests, not words: "how many people work for you?" is none.
HUMAN_REQUESTS: tuple[str, ...] = (
    # ru
    "позовите оператора", "позови оператора", "позовите человека", "позови человека", "позовите менеджера",
    "соедините с оператором", "соедини с оператором", "соедините с человеком", "соедините с менеджером",
    "соедините меня с", "переключите на оператора", "переключи на оператора", "переключите на человека",
    "переведите на оператора", "переведите на человека", "хочу поговорить с человеком", "хочу поговорить с оператором",
    "хочу говорить с человеком", "хочу живого оператора", "нужен оператор", "нужен человек", "нужен живой человек",
    "дайте оператора", "дайте живого человека", "живой оператор", "живого человека", "мне нужен менеджер",
    "хочу к оператору", "можно оператора", "можно человека", "поговорить с живым человеком",
    # en
    "talk to a human", "talk to a person", "talk to someone", "talk to an agent", "talk to an operator",
    "talk to a real person", "speak to a human", "speak to a person", "speak to someone", "speak to an agent",
    "speak with a human", "speak with a person", "speak with someone", "speak with an agent", "talk with a human",
    "talk with a person", "chat with a human", "chat with a person", "connect me to", "connect me with",
    "transfer me to", "get me a human", "get me an operator", "i want a human", "i need a human", "i want a person",
    "i want an operator", "i need an operator", "call an operator", "real human please", "human please",
    "operator please", "live agent", "human agent",
    # el
    "θέλω να μιλήσω με άνθρωπο", "θέλω να μιλήσω με έναν άνθρωπο", "να μιλήσω με κάποιον", "να μιλήσω με εκπρόσωπο",
    "να μιλήσω με υπάλληλο", "συνδέστε με με", "συνδέστε με έναν εκπρόσωπο", "θέλω εκπρόσωπο", "θέλω έναν άνθρωπο",
    "καλέστε έναν χειριστή", "χρειάζομαι έναν άνθρωπο",
    # de
    "mit einem menschen sprechen", "mit einem menschen reden", "mit einem mitarbeiter sprechen",
    "mit einer person sprechen", "mit jemandem sprechen", "mit einem echten menschen", "mit einem berater sprechen",
    "einen menschen sprechen", "verbinden sie mich mit", "ich brauche einen menschen", "ich will einen menschen",
    "ich möchte einen mitarbeiter", "mitarbeiter bitte", "rufen sie einen mitarbeiter",
    # es
    "hablar con una persona", "hablar con un humano", "hablar con un agente", "hablar con un operador",
    "hablar con alguien", "hablar con una persona real", "comunicarme con un agente", "quiero un agente",
    "quiero un humano", "necesito un agente", "necesito una persona", "páseme con", "pásame con",
    "conécteme con", "conéctame con", "llame a un operador", "un operador por favor",
    # ar
    "التحدث مع شخص", "التحدث مع شخص حقيقي", "التحدث إلى شخص", "التحدث مع موظف", "التحدث إلى موظف", "التحدث مع إنسان",
    "أريد موظف", "أريد شخصا حقيقيا", "حولني إلى موظف", "حولني إلى شخص", "أحتاج إلى موظف", "أريد التحدث مع مندوب",
    # zh
    "转人工", "人工客服", "人工服务", "真人客服", "找人工", "找客服", "和真人", "跟真人", "接人工",
    "我要人工", "要真人",
)  # fmt: skip

# A threat to the visitor's own life.
SAFETY: tuple[str, ...] = (
    # ru
    "покончить с собой", "покончу с собой", "покончить жизнь самоубийством", "хочу умереть", "не хочу жить",
    "не хочу больше жить", "убью себя", "убить себя", "наложить на себя руки", "суицид*", "самоубийств*",
    "порезать вены", "вскрыть вены", "повешусь",
    # en
    "kill myself", "killing myself", "end my life", "ending my life", "take my own life", "want to die",
    "commit suicide", "suicidal", "suicide", "don't want to live", "do not want to live", "dont want to live",
    "hurt myself", "harm myself", "hang myself",
    # el
    "θέλω να αυτοκτονήσω", "να αυτοκτονήσω", "θα αυτοκτονήσω", "αυτοκτονία", "θέλω να πεθάνω", "δεν θέλω να ζω",
    "να σκοτωθώ", "να βάλω τέλος στη ζωή μου",
    # de
    "mich umbringen", "umbringen will ich mich", "bringe mich um", "das leben nehmen", "mir das leben", "selbstmord*",
    "suizid*", "will sterben", "möchte sterben", "nicht mehr leben", "mich töten",
    # es
    "quiero suicidarme", "suicidarme", "me voy a suicidar", "suicidio", "quiero morir", "quiero morirme",
    "matarme", "me quiero matar", "quitarme la vida", "acabar con mi vida", "no quiero vivir",
    # ar
    "أريد أن أنتحر", "أن أنتحر", "سأنتحر", "الانتحار", "أريد أن أموت", "أريد الموت", "لا أريد أن أعيش", "أقتل نفسي",
    "إنهاء حياتي",
    # zh
    "我想自杀", "自杀", "不想活", "我想死", "想死了", "结束生命", "结束自己的生命", "轻生",
)  # fmt: skip

# Courtesies that ask for nothing.
SOCIAL: tuple[str, ...] = (
    # ru
    "спасибо", "спасибо большое", "большое спасибо", "спасибо вам", "огромное спасибо", "благодарю", "благодарю вас",
    "спс", "здравствуйте", "здравствуй", "привет", "добрый день", "доброе утро", "добрый вечер", "доброго дня",
    "до свидания", "пока", "всего доброго", "всего хорошего", "хорошего дня", "ок", "окей", "хорошо", "понятно",
    "понял", "поняла", "ясно", "отлично", "супер", "вам", "за помощь", "за ответ", "очень",
    # en
    "thanks", "thanks a lot", "thank you", "thank you very much", "thank you so much", "many thanks", "thx", "ty",
    "cheers", "hello", "hi", "hi there", "hey", "good morning", "good afternoon", "good evening", "good day", "bye",
    "goodbye", "bye bye", "see you", "have a nice day", "have a good day", "ok", "okay", "got it", "great", "perfect",
    "cool", "understood", "alright", "for your help", "for the help",
    # el
    "ευχαριστώ", "ευχαριστώ πολύ", "σας ευχαριστώ", "γεια", "γεια σας", "γεια σου", "καλημέρα", "καλησπέρα", "αντίο",
    "εντάξει", "οκ", "τέλεια", "κατάλαβα", "καλή σας μέρα",
    # de
    "danke", "danke schön", "danke sehr", "vielen dank", "besten dank", "hallo", "guten tag", "guten morgen",
    "guten abend", "tschüss", "auf wiedersehen", "schönen tag", "schönen tag noch", "alles klar", "in ordnung", "gut",
    "super", "prima", "verstanden", "für ihre hilfe", "für die hilfe",
    # es
    "gracias", "muchas gracias", "mil gracias", "hola", "buenos días", "buenas tardes", "buenas noches", "buenas",
    "adiós", "hasta luego", "vale", "de acuerdo", "perfecto", "entendido", "genial", "por su ayuda", "por la ayuda",
    # ar
    "شكرا", "شكرا لك", "شكرا جزيلا", "شكرا لكم", "مرحبا", "السلام عليكم", "أهلا", "صباح الخير", "مساء الخير",
    "مع السلامة", "إلى اللقاء", "حسنا", "تمام", "ممتاز",
    # zh
    "谢谢", "谢谢你", "谢谢您", "多谢", "感谢", "你好", "您好", "早上好", "下午好", "晚上好", "再见", "拜拜", "好的",
    "好", "明白了", "明白", "知道了", "收到", "可以",
)  # fmt: skip
