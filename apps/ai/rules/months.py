"""The names of months, of forty languages."""

# Of the Unicode CLDR: as they stand beside a day, and alone; in small letters. And what people shorten them to.
_NAMES = (
    (
        "ene enero gener gennaio ianuarie jaanuar jan janeiro januar januari january január januára janv janvier "
        "janvāris leden ledna ocak sausio sausis siječanj siječnja styczeń stycznia tammikuu tammikuuta yanvar "
        "ιανουάριοσ ιανουαρίου студзень студзеня січень січня янв январь января януари јануар қаңтар հունվար հունվարի "
        "ינואר يناير ژانویه ژانویهٔ जनवरी იანვარი"
    ),
    (
        "feb febbraio febrer febrero februar februari februarie february február februára februāris fev fevereiro "
        "fevral févr février helmikuu helmikuuta lutego luty vasario vasaris veebruar veljača veljače únor února "
        "şubat φεβρουάριοσ φεβρουαρίου ақпан лютага лютий лютого люты фебруар фев февраль февраля февруари փետրվար "
        "փետրվարի פברואר فبراير فوریه فوریهٔ फ़रवरी თებერვალი"
    ),
    (
        "březen března kovas kovo maaliskuu maaliskuuta maart marca march marec maret mars mart martie marts marzec "
        "marzo març março március mär märts märz ožujak ožujka μάρτιοσ μαρτίου березень березня март марта наурыз "
        "сакавік сакавіка մարտ մարտի מרץ مارس मार्च მარტი"
    ),
    (
        "abr abril apr aprel april aprile aprilie aprill apríl apríla aprīlis avr avril balandis balandžio duben "
        "dubna d’abril huhtikuu huhtikuuta kwiecień kwietnia nisan travanj travnja április απρίλιοσ απριλίου апр "
        "апрель апреля април квітень квітня красавік красавіка сәуір ապրիլ ապրիլի אפריל آوریل أبريل अप्रैल აპრილი"
    ),
    (
        "gegužė gegužės květen května maggio mai maig maijs maio maj maja may mayo mayıs mei máj mája május svibanj "
        "svibnja toukokuu toukokuuta μάιοσ μαΐου май мамыр мая мај травень травня մայիս մայիսի מאי مايو مه مهٔ मई "
        "მაისი"
    ),
    (
        "birželio birželis czerwca czerwiec giu giugno haziran iunie iyun juin jun june junho juni junio juny juuni "
        "jún júna június jūnijs kesäkuu kesäkuuta lipanj lipnja červen června ιουνίου ιούνιοσ июн июнь июня маусым "
        "червень червня чэрвень чэрвеня юни јун հունիս հունիսի יוני يونيو ژوئن जून ივნისი"
    ),
    (
        "heinäkuu heinäkuuta iulie iyul juil juillet jul julho juli julio juliol july juuli júl júla július jūlijs "
        "liepa liepos lipca lipiec lug luglio srpanj srpnja temmuz července červenec ιουλίου ιούλιοσ июл июль июля "
        "липень липня ліпень ліпеня шілде юли јул հուլիս հուլիսի יולי يوليو ژوئیه ژوئیهٔ जुलाई ივლისი"
    ),
    (
        "ago agost agosto agustus août aug august augusta augusti augusts augustus augusztus avgust avqust ağustos "
        "d’agost elokuu elokuuta kolovoz kolovoza rugpjūtis rugpjūčio sierpień sierpnia srpen srpna αυγούστου "
        "αύγουστοσ авг август августа жнівень жніўня серпень серпня тамыз օգոստոս օգոստոսի אוגוסט أغسطس اوت अगस्त "
        "აგვისტო"
    ),
    (
        "eylül rugsėjis rugsėjo rujan rujna sentabr sentyabr sep sept september septembra septembre septembrie "
        "septembris septiembre setembre setembro settembre syyskuu syyskuuta szeptember wrzesień września září "
        "σεπτέμβριοσ σεπτεμβρίου верасень верасня вересень вересня сен сент сентябрь сентября септембар септември "
        "қыркүйек սեպտեմբեր սեպտեմբերի ספטמבר سبتمبر سپتامبر सितंबर სექტემბერი"
    ),
    (
        "d’octubre ekim listopad listopada lokakuu lokakuuta oct october octobre octombrie octubre okt oktabr oktober "
        "oktobris oktoober oktyabr október októbra ott ottobre outubro październik października spalio spalis říjen "
        "října οκτωβρίου οκτώβριοσ жовтень жовтня кастрычнік кастрычніка окт октобар октомври октябрь октября қазан "
        "հոկտեմբեր հոկտեմբերի אוקטובר أكتوبر اکتبر अक्टूबर ოქტომბერი"
    ),
    (
        "kasım lapkritis lapkričio listopad listopada listopadu marraskuu marraskuuta noiembrie nov november novembra "
        "novembre novembris novembro noviembre noyabr studeni studenoga νοέμβριοσ νοεμβρίου листопад листопада "
        "лістапад лістапада новембар ноември ноя нояб ноябрь ноября қараша նոյեմբեր նոյեմբերի נובמבר نوامبر نوفمبر "
        "नवंबर ნოემბერი"
    ),
    (
        "aralık dec december decembra decembrie decembris dekabr desember desembre detsember dez dezember dezembro "
        "dic dicembre diciembre déc décembre grudnia grudzień gruodis gruodžio joulukuu joulukuuta prosinac prosinca "
        "prosince prosinec δεκέμβριοσ δεκεμβρίου грудень грудня дек декабрь декабря декември децембар желтоқсан "
        "снежань снежня դեկտեմբեր դեկտեմբերի דצמבר دسامبر ديسمبر दिसंबर დეკემბერი"
    ),
)

# The numbers of the months that a name stands for: `listopad` is October in one language and November in others.
MONTHS: dict[str, frozenset[int]] = {
    name: frozenset(number for number, names in enumerate(_NAMES, 1) if name in names.split())
    for names_of_all in _NAMES
    for name in names_of_all.split()
}
