"""How often developers use a word, whatever the project. Import-light, because hooks use it.

Written by `scripts/developer_words.py`; not edited by hand.
"""

EVERYDAY = frozenset(
    """
    api app build cach call ci commit custom dai error fail id import job kei leav left limit line list log
    minut move name order page pass push releas remov return row second stai tabl test user version
    """.split()  # noqa: SIM905
)
"""Stems of at least 100 projects: they say next to nothing."""
USUAL = frozenset(
    """
    account allow alon answer appli base batch block branch byte class clean client close column comment compar
    compil config connect contain copi count crash csv da databas date db de debug decid default delet depend
    deploi die diff differ doc drop edit empti en end endpoint entri event exist explain export featur field
    filter five flag format four full function gb gener green guess half hand header hold host hour http ignor
    imag includ index instal invoic json kb la le lib link live load local lock loop machin mail main map match
    max mb measur memori merg messag migrat min miss mode model modul month ms nobodi node note number option
    output packag pars part path peopl pl place plain plan pod point port postgr pr print process prod product
    public pull py python queri queue rate refus renam render replac repo report request rest restart retri
    review rout rule runner schema screen script search send server servic session share side size skip sort
    split sql src stage state step store string support switch sync tag team templat text ticket timeout todai
    token touch ts turn twice type unit upload valid valu view wait warn week window worker year
    """.split()  # noqa: SIM905
)
"""Stems of 40 to 99 projects."""
FREQUENT = frozenset(
    """
    a accept access action activ adapt address admin affect afterward agre ah ahead al aliv alloc amount android
    anywher apart append archiv argument arm arrai arriv assert asset async attach attempt audit auf auth
    backend backfil background backup bank bar becom behaviour benchmark bill bin binari bitt board bodi book
    boot bound box break bring broken broker browser btw bucket buffer bug built bump bundl button calendar
    caller cancel cap card care cargo carri cart catch caus cent certif chain changelog channel charact chart
    checkout chunk clear cli click clock cluster collect colour com command comparison complain complet compon
    compos comput con concurr configur confirm conflict consol constant consum content context continu contract
    control convert core correct cost counter cover cpu crate cron css current cursor cut dag dan dashboard dead
    decod dem demo den deprec der design destroi detail dev devic di dir direct directli directori disabl disk
    displai docker dockerfil document dont doubl download draft driver dry du dump duplic e2 edg editor effect
    el email emul encod engin english enum env environ equal es est et eval everywher exactli exclud exit expect
    expir extens extract failur fake fall fals far faster fetch fill final financ finish fire firmwar fit fixtur
    flaki flash float folder follow forc forget form frame free fresh front gap gatewai german git gpu grep
    group grow handl handler hang hash head helm helper histori hit hm hmm hook html ich icon idempot il im
    implement info ingest init input insert int integ interfac intern interv invalid io ist item java jetzt join
    js jump kafka kill label lambda laptop late layer layout legaci letter level librari lint linux listen lo
    loader lockfil logic login lol longer lose lost love lunch mac mainten major manifest march mark materi
    matter md meet menu metric mind mit mobil mock moment morn mostli mount nativ ne nest net network newer
    nicht nie night nightli nine noch non nope normal notic npm null numpi object offlin offset older op oper
    origin os pa pagin par parallel paramet parser partit partner password past patch pattern payload payment
    pdf pend perfect permiss pg phone pick pin pipelin pixel platform player plu plugin png pnpm polici poll
    pool por posit post pour power prefer prepar present preview price profil progress proper properti propos
    provid proxi publish purpos q3 que quick rais random rang raw rb reach react reader readm rebas receiv
    record red redi redo refactor refer refresh refund regener regex region regist reject reload remain remark
    rememb replai replica repositori reproduc requir reset resolv resourc respons restor revert rewrit role roll
    room root rotat roughli round router rs ruff runtim s3 safari sale sampl sandbox scale scan schedul scope
    screenshot sdk se section secur seed seem select sens sensor sent separ serial sh shell ship shop si sign
    signal signatur silent simul singl sit site six sleep slot slow smoke snapshot solv somebodi sorri sourc
    space spec sprint sqlite squash stabl stack stale statement static statu std stock storag stori stream
    strict strip struct style suggest suit sum summari supplier sur surviv suspect swap system tab talk target
    task tax ten tenant terraform third thread throw thx till timestamp tmp todo toml tomorrow tonight tool top
    topic total trace train transact translat tree trigger true tsx txt typo ui un unchang und understand undo
    uniqu unknown unus upgrad url usag utc util v1 v2 var variabl variant vendor verifi visibl walk warehous web
    webhook welcom what widget width win wir wire word workflow workspac worth wrap writer xml yaml yeah
    yesterdai yml zero
    """.split()  # noqa: SIM905
)
"""Stems of 13 to 39 projects."""
