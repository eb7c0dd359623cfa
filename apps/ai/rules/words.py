"""The words of the floors, in the seven languages. Each is matched as `handover_rules.py` says."""

from apps.chats.rules.courtesies import COURTESIES

# Whom a visitor may ask for (`human_requests.py`): words of one meaning; `*` stands for any ending. All are folded.
PERSONS = """
оператор оператора оператору оператором операторы операторов операторшу менеджер менеджера менеджеру менеджером
консультант консультанта консультанту консультантом администратор администратора администратором сотрудник сотрудника
сотруднику сотрудником саппорт саппорта саппортом техподдержк* человеческого
operator operators agent agents human humans representative representatives rep csr advisor adviser operater
mitarbeiter mitarbeiterin mitarbeitern berater beraterin kundenberater kundenberaterin sachbearbeiter ansprechpartner
operador operadora operadores agente agentes asesor asesora asesores ejecutivo ejecutiva representante humano humana
χειριστη* εκπροσωπ* υπαλληλο* συμβουλο* ανθρωπο ανθρωπος
موظف موظفا موظفه موظفة الموظف موظفين مندوب مندوبا بالموظف للموظف بموظف لموظف لموظفه مشغل ممثل وكيل بشري بشريا انسان
انسانا بشر
"""
# Whom a visitor may mean, if they say that they want to talk, or just before want them.
SOMEBODY = """
человек человека человеку человеком человеки людьми людей люди кем нибудь кому кого живой живого живым живому живые
специалист специалиста специалисту специалистом руководител* начальник* директор* коллег* старшего старший старшему
person persons someone somebody anyone anybody people staff manager supervisor employee specialist consultant
colleague
mensch menschen person personen jemand jemanden jemandem kollegen kollege kollegin personal leiter chef
persona personas alguien encargado encargada gerente supervisor
ανθρωπους καποιον καποιος καποιο υπευθυνο προισταμενο
شخص شخصا شخصاً احد احدا المدير مدير
"""
# What is no person, and is asked for by its name alone.
SERVICES = """
поддержка поддержку поддержки поддержкой helpdesk support service customer live chat team kundenservice الدعم
kundendienst soporte atencion
cliente servicio
"""
# Wishes that are only for persons.
TALKS = """
позов* позва* соедин* переключ* переведи переведите поговор* говорить пообщат* общаться связаться свяжи* свяжусь
вызов*
подключите приглас* передайте поболтать трубку связь
talk talking speak speaking chat connect transfer forward contact reach pass
sprechen reden spreche verbinden verbinde verbindet weiterleiten durchstellen kontaktieren rufen ruf holen hol leiten
leite
hablar hablo hable comunic* paseme pasame pasen conect* contactar llame llamen llama llamarme transfier* transferir
atienda atiendan
μιλησ* μιλαω μιλω συνδεσ* συνδεετε καλεσ* επικοινων*
التحدث اتحدث للتحدث اكلم اتكلم حولني حولوني حول وصلني وصلوني كلمني تحويل التواصل اتواصل
"""
WISHES = """
нужен нужна нужно нужны хочу хотим дай дайте давай давайте можно требую зови зовите где жду прошу б бы
need want wants get give require demand call wanna gimme where have there
brauche will mochte hatte gib geben bitte wo gibt
quiero necesito dame deme denme quisiera exijo
θελω χρειαζομαι δωστε που
اريد احتاج ابغي ابغى بدي عايز عاوز اعطني نحتاج اين ممكن
"""
# What a person is to do, behind whom it is for.
HELPS = """
ответит ответят ответите ответьте поможет помогут помочь help answer reply helfen antworten ayudar ayude ayuden
responda
βοηθησει απαντησει يساعدني يرد
"""
# What stands around a person's name alone.
FILLERS = """
пожалуйста плиз срочно быстро здравствуйте здравствуй привет добрый день вечер утро алло ало эй ну мне сюда сейчас уже
к с
в на живой живого живым а и же скорее настоящий настоящего настоящим наконец вы ваш вашего вашему вашим кто то нибудь
хоть
please pls plz hello hi hey now asap urgent urgently the a an real live actual to with me ok your some you are now
finally any here
bitte sofort schnell hallo guten tag einen einem ein eine echten echter mit jetzt dringend sie endlich mir ihren ihrem
lebenden es hier
por favor urgente hola un una el la con ya real ahora buenas al de su me
παρακαλω εναν ενα τωρα γεια σας μου
من فضلك لو سمحت رجاء الان مرحبا حقيقي مع الى ان
"""
# Another thing that is named after people.
THINGS = """
связи сотовой станка крана пк паролей по продаж hair resources body rights error food tour estate plattform of
cleaning sized discount discounts special manual склада
"""
BOTS = """
бот бота боту ботом боты робот робота роботу роботом автоответчик* машиной железякой bot bots robot robots chatbot
chatbots
machine roboter maschine automat ρομποτ bot μηχανη روبوت الروبوت بوت آلي الي maquina
"""
ENOUGH = """
хватит надоел* достал* убери уберите отключи отключите устал устала тупой тупая бесполезн* задолбал* enough stop sick
tired
fed hate useless stupid genug schluss basta harto harta inutil φτανει αρκετα كفي كفى يكفي
"""
NOT = """
не нет without no not don dont kein keinen keinem nicht sin δεν οχι لا بدون ليس
"""

# Requests by their whole words, where the words above do not tell.
HUMAN_REQUESTS: tuple[str, ...] = (
    # ru
    "есть кто живой", "есть кто-нибудь живой", "есть тут кто живой", "есть живые", "живой человек есть",
    "кто-нибудь живой",
    "живые люди", "есть кто-нибудь", "кто-нибудь ответит", "есть там кто", "кто нибудь есть", "есть ли тут живые",
    "мне ответит человек", "ответит человек", "пусть ответит человек", "пусть мне ответят", "не робота",
    # en
    "is there a human", "is there a real person", "is there a person", "is anyone there", "is anybody there",
    "anyone there", "anybody there", "real human", "put me through", "human being", "get me someone", "call me back",
    "i need a person", "live person", "escalate to", "hand me over", "someone call me", "somebody call me",
    "customer service please", "real person please", "no more bots",
    # el
    "ειναι κανεις εκει", "υπαρχει κανεις", "εναν πραγματικο ανθρωπο", "με πραγματικο ανθρωπο",
    # de
    "ist da jemand", "ist jemand da", "echter mensch", "echten menschen", "persönlicher ansprechpartner",
    # es
    "hay alguien", "persona real", "persona de verdad", "alguien de verdad", "atención humana",
    "atencion al cliente por favor",
    # ar
    "هل يوجد احد", "هل هناك احد", "خدمة العملاء", "شخص حقيقي", "في احد",
    # zh
    "转人工", "人工", "真人", "找客服", "接客服", "转客服", "有人吗", "有人在吗", "叫客服", "和客服", "跟客服",
    "要客服",
    "客服在吗", "联系客服", "活人", "找个人", "不要机器人", "别用机器人", "不想和机器人", "讓真人", "轉接", "客服人员",
    "叫个人", "跟人说", "和人说", "跟人聊", "和人聊", "找你们经理", "找经理", "叫经理", "接线员",
    "客服来", "让客服", "叫你们客服",
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

# Greetings, which ask for nothing either; they are answered as courtesies are.
GREETINGS: tuple[str, ...] = (
    # ru
    "здравствуйте", "здравствуй", "привет", "добрый день", "доброе утро", "добрый вечер", "доброго дня",
    # en
    "hello", "hi", "hi there", "hey", "good morning", "good afternoon", "good evening", "good day",
    # el
    "γεια", "γεια σας", "γεια σου", "καλημέρα", "καλησπέρα",
    # de
    "hallo", "guten tag", "guten morgen", "guten abend",
    # es
    "hola", "buenos días", "buenas tardes", "buenas noches", "buenas",
    # ar
    "مرحبا", "السلام عليكم", "أهلا", "صباح الخير", "مساء الخير",
    # zh
    "你好", "您好", "早上好", "下午好", "晚上好",
)  # fmt: skip
SOCIAL: tuple[str, ...] = (*COURTESIES, *GREETINGS)
