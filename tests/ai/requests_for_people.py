"""Sentences in which a visitor asks for a person, and ordinary ones, in the seven languages; with typos and anger."""

ASKED = """
Оператор!
оператора
оператор пожалуйста
Позовите человека
Позовите, пожалуйста, живого человека
соедините с менеджером
Соедините меня, пожалуйста, с кем-нибудь из сотрудников
мне нужен оператор
нужен живой человек а не бот
дайте оператора
дайте мне наконец живого человека!!!
можно с человеком поговорить?
можно оператора?
хочу поговорить с человеком
хочу говорить с живым оператором
переключите на оператора
переведите на менеджера
есть кто живой?
есть тут кто живой
хватит бота, позовите человека
надоел этот бот
уберите бота
не хочу разговаривать с роботом
не хочу говорить с ботом
ЖИВОЙ ЧЕЛОВЕК ЕСТЬ???
оператр
опиратор
позовите опертора
мне б менеджера
консультант!
свяжите меня с руководителем
как связаться с оператором?
как поговорить с живым человеком
пусть мне ответит человек
где оператор?
жду оператора
оператор вы где
алло, оператор
Подключите специалиста
вызовите администратора
передайте менеджеру мой вопрос
с вами можно пообщаться человеком а не программой
тупой бот
operator
Operator!
human
human please
agent please
a real person please
I want to speak to someone
can I talk to a human?
Can I speak with a person please
let me talk to somebody
I need a human
i need a real person
get me a manager
I want to talk to your manager
connect me to support
transfer me to an agent
could you put me through to someone
representative
speak to representative
live agent
live chat with a human
is anyone there?
is there a real person I can talk to
I don't want to talk to a bot
stop bot
no more bots
I'm sick of this bot
not a bot please, human
opertor
opeartor please
talk to human
speak to a live person
give me an operator
need operator asap
how can I reach a human
how do I contact customer support agent
customer service
customer service please
I demand to speak with a supervisor
can someone call me
operator where are you
Mitarbeiter
Mitarbeiter bitte
Ich möchte mit einem Menschen sprechen
Ich will mit einem echten Menschen reden
Bitte verbinden Sie mich mit einem Mitarbeiter
Verbinden Sie mich mit jemandem
Kann ich mit einem Berater sprechen?
Ich brauche einen Menschen
Ich möchte einen Mitarbeiter
echter Mensch bitte
ist da jemand?
kein Bot bitte, ich will einen Menschen
Ich will nicht mit einem Bot reden
Kundenservice bitte
geben Sie mir einen Berater
Mensch bitte!
Mitarbieter
kann mich jemand anrufen, ich will mit jemandem sprechen
operador
agente por favor
Quiero hablar con una persona
quiero hablar con alguien
necesito un agente
páseme con un operador
¿Puedo hablar con un humano?
quiero un humano
me comunica con un asesor
no quiero hablar con un robot
¿hay alguien ahí?
persona real por favor
asesor
hablar con un asesor
quisiera hablar con el encargado
atención al cliente
basta de bot
deme un operador ya
operdaor por favor
contactar con un agente
Θέλω να μιλήσω με άνθρωπο
Θέλω έναν εκπρόσωπο
εκπρόσωπος παρακαλώ
θέλω υπάλληλο
συνδέστε με με κάποιον
μπορώ να μιλήσω με κάποιον;
θέλω να μιλήσω με έναν υπεύθυνο
χειριστή παρακαλώ
χρειάζομαι έναν άνθρωπο
όχι ρομπότ, θέλω άνθρωπο
υπάρχει κανείς εκεί;
εκπροσωπο τωρα
موظف
أريد التحدث مع موظف
أريد موظف
حولني إلى موظف
ممكن أتكلم مع شخص حقيقي
أريد التحدث مع إنسان
أحتاج إلى موظف
لا أريد التحدث مع روبوت
هل يوجد أحد؟
وصلني بالموظف
خدمة العملاء
كلمني مع المدير
人工
转人工
人工客服
我要找人工
请转人工服务
真人客服
有人吗
找客服
我想和真人说话
不要机器人
能不能叫个人来
转接人工
找你们经理
给我接人工
а человека можно позвать?
мне бы с живым человеком пообщаться
хочу оператора
оператора!!!!!
соедините с человеком срочно
дайте трубку менеджеру
кто-нибудь из людей ответит?
я хочу общаться с человеком
переключи на живого
позови старшего
мне нужен ваш менеджер
с оператором соедините
бот не понимает, нужен человек
ты не помогаешь, давай человека
хватит, мне нужен живой оператор
не могли бы вы позвать консультанта
пригласите пожалуйста сотрудника магазина
поговорить с оператором
связь с оператором
оператор нужен
нужен консультант
Can you get me a human?
I'd like to speak with a representative
get me an agent now
please connect me with a live person
can I chat with someone from your team?
I want a real human being
let me speak to a manager
talk to agent
speak to agent
human agent
customer support
can I have a human please
you're useless, get me a person
I need to speak with customer service
is there anyone real here
are there any humans here?
pass me to an operator
hand me over to a colleague
I would prefer to talk to a person
Can a human help me?
agent
ich will mit jemandem reden
bitte einen Mitarbeiter
Kann ich einen Mitarbeiter sprechen
gibt es hier echte Menschen?
ich hätte gern einen Menschen am Chat
Mitarbeiter sprechen
Leiten Sie mich an einen Kollegen weiter
Können Sie mich mit dem Support verbinden?
necesito hablar con alguien
con un humano por favor
operadora por favor
pásame con una persona
quiero que me atienda una persona
deseo hablar con un agente
puede llamarme un asesor
hablar con humano
Θα ήθελα να μιλήσω με υπάλληλο
δώστε μου έναν άνθρωπο
άνθρωπο θέλω
να μιλήσω με χειριστή
ابغى اكلم موظف
أريد شخصا حقيقيا
حولني لموظف خدمة العملاء
ممكن موظف
اريد بشر
我要跟真人聊
人工在吗
转人工谢谢
请帮我接人工客服
有没有真人
叫你们客服来
"""

ORDINARY = """
Сколько стоит доставка?
Какой оператор связи у вас?
Сколько человек в команде?
Мне нужен букет на 10 человек
Хочу заказать торт на двадцать человек
Можно ли оплатить картой?
у вас есть розы?
где мой заказ
какие у вас часы работы
мне нужна поддержка браслета в размере 18
нужен станок с оператором? нет, просто станок
вы бот?
это бот отвечает?
спасибо, бот отличный
дайте скидку
хочу вернуть товар
человек-паук фигурка есть?
Подарок для человека который все имеет
можно ли курьера попросить позвонить
живые цветы есть?
живой журнал
доставка в офис менеджеру Иванову
работаете ли вы с юридическими лицами
вакансия менеджера еще открыта?
сколько получает оператор колл-центра
ваш оператор мне вчера сказал что цена 500
менеджер обещал скидку 10%
мне позвонил ваш сотрудник и представился Олегом
чем робот-пылесос отличается от обычного
хочу робот пылесос
какой робот лучше
надоела зима
привет
добрый день
есть ли размер 42
сколько людей вмещает зал
игра на двух человек
подскажите пожалуйста адрес
нужна помощь с выбором
как оформить заказ
не работает сайт
можно забрать сегодня?
скиньте прайс
у вас есть подарочные карты
когда привезут заказ 123
хочу узнать статус
мне нужно 5 роз
нужна книга «Человек и закон»
людям с аллергией можно?
цена на корм для людей
How many people work for you?
Is it human hair?
I need human hair extensions
how much is delivery?
do you ship to Spain?
what is the agent commission
is this a bot?
are you a robot?
do you sell robot vacuums
I want a robot vacuum
table for four people please
I need a gift for a person who has everything
seats for 6 persons
my agent sent me here
your operator told me it costs 50
the manager promised a refund
do you have staff discounts
can I get a refund
where is my order
what are your opening hours
I need help choosing
is someone using this coupon already
someone stole my package
tour operator prices
what's the price per person
how many persons fit in the car
human resources email?
I want to cancel my order
I love your bot
can people with allergies eat this
thanks a lot
hello
does the cleaning agent contain chlorine
I need a cleaning agent for wood
who is the manager of the shop on Main street
boolean operators in search
need size M
want it delivered today
give me a discount
get me two tickets
customer reviews
does live music play tonight
support for iPhone 15?
this case supports wireless charging
Haben Sie Mitarbeiterrabatte?
Wie viele Menschen arbeiten bei Ihnen?
Was kostet der Versand?
Ich brauche ein Geschenk für einen Menschen mit Allergie
Tisch für vier Personen bitte
Wo ist meine Bestellung?
Haben Sie Saugroboter?
Ich möchte einen Saugroboter kaufen
Welche Maschine ist besser?
Ihr Mitarbeiter hat mir 10 Prozent versprochen
Wann öffnen Sie?
Ich will bezahlen
Bist du ein Bot?
guten Tag
danke
Preis pro Person?
¿Cuántas personas caben?
Mesa para cuatro personas
¿Cuánto cuesta el envío?
quiero un robot aspirador
¿Eres un robot?
necesito un regalo para una persona mayor
el agente inmobiliario me dijo que estaba libre
¿Dónde está mi pedido?
quiero cancelar
hola
precio por persona
Su operador me dijo que eran 50 euros
¿tienen soporte para iPhone?
necesito 5 rosas
Πόσα άτομα χωράει;
Πόσο κοστίζει η αποστολή;
Πού είναι η παραγγελία μου;
θέλω ένα δώρο για έναν άνθρωπο με αλλεργία
είσαι ρομπότ;
γεια σας
τραπέζι για τέσσερις
θέλω να ακυρώσω
كم سعر التوصيل؟
كم شخص يتسع؟
أين طلبي؟
أريد إلغاء الطلب
هل أنت روبوت؟
السعر للشخص الواحد؟
مرحبا
أريد هدية
多少钱？
送货要多久
你是机器人吗
我的订单在哪里
四个人的桌子
我要退款
你好
每人多少钱
скажите, а человек какого роста подойдет к этому велосипеду
на сколько человек рассчитан набор
вы доставляете живые цветы?
можно поговорить о цене?
говорят у вас скидки
как с вами связаться по телефону
у вас есть робот-мойщик окон?
не хочу переплачивать
оператор склада вакансия
хочу стать оператором
нужен ли оператор для этого станка
директор магазина был вчера?
можно мне два кофе
дайте пожалуйста адрес
позвоните мне завтра
где можно посмотреть людей в команде
do I need to be a person over 18
I want to speak spanish
how do I contact you
can I talk about the price
talk to me about delivery
is delivery handled by real people
do you have human-sized statues
I need a size for a tall person
operator manual for the drill?
how many agents do you have
get 10% off
what does support include
manager's special?
do robots make these
I don't want the robot version
Ich suche ein Geschenk für meine Chefin
Haben Sie Personalrabatt
Kann man mit PayPal bezahlen
Ich will nicht so viel bezahlen
Wie erreiche ich Sie?
Sprechen Sie Englisch?
hablan inglés?
quiero hablar de precios
¿atienden los domingos?
para dos personas cuánto sale
¿el robot incluye batería?
μιλάτε αγγλικά;
θέλω να μιλήσουμε για την τιμή
πόσοι άνθρωποι δουλεύουν εκεί;
هل تتحدثون الإنجليزية؟
كم عدد الموظفين؟
أريد روبوت مكنسة
扫地机器人多少钱
你们有多少员工
几个人可以坐
客服几点上班
"""


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]
