"""Words that say nothing about a prompt's topic. Import-light, because hooks use it."""

# B20: stop words of everything that scores titles and tags.
STOP_WORDS = frozenset(
    """a about after all also an and any are as at be been before being but by can could did do does done
    for from get got had has have he her here him his how i if in into is it its just like may me might more
    most my no not now of on or out over please she should so some than that the their them then there these
    they this to too up us very was we were what when where which who why will with would you your""".split()  # noqa: SIM905
)

# A12: function words, and common verbs, adjectives and nouns of requests. Names of tools and topics are not here,
# however common. A prompt is split at the apostrophe: half a contraction ("don", "ll") is a word too.
COMMON_WORDS = frozenset(
    """able about above across actually add added adding adds after again against ago all almost along already also
    although always am among an and another any anyone anything anyway are aren around as ask asked asking asks at
    away back bad basically be because become been before behind being below best better between big bit both but
    by came can cannot case cases change changed changes changing check checked checking checks code come comes
    coming correct could couldn create created creates creating data did didn different do does doesn doing don
    done down during each easy either else enough especially etc even ever every everyone everything example
    examples except few file files find finding finds fine first fix fixed fixes fixing for found from further
    gave get gets getting give given gives giving go goes going gone good got gotten great had hadn happen
    happened happening happens hard has hasn have haven having he hello help helped helping helps her here herself
    hey hi him himself his how however idea if important in inside instead into is isn issue issues it its itself
    just keep keeping keeps kept kind knew know knowing known knows large last later least less let lets like
    liked likely likes little ll long look looked looking looks lot lots made make makes making many may maybe me
    mean means meant might mine more most much must my myself need needed needing needs neither never new next
    nice no none nor not nothing now of off often ok okay old on once one ones only onto open opened opening opens
    or other others otherwise our ours ourselves out outside over own per perhaps please possible possibly
    probably problem problems project projects put puts putting question questions quite ran rather re read
    reading reads ready real really reason result results right run running runs said same save saved saves saving
    saw say saying says see seeing seen sees set sets setting setup several shall she short should shouldn show
    showed showing shown shows similar simple since small so some somehow someone something sometimes somewhere
    soon specific start started starting starts still stop stopped stopping stops stuff such sure take taken takes
    taking tell telling tells than thank thanks that the their them themselves then there therefore these they
    thing things think thinking thinks this those though thought three through throughout thus time times to
    together told too took tried tries try trying two under unless until up update updated updates updating us use
    used uses using usually various ve very via want wanted wanting wants was wasn way ways we well went were
    weren what whatever when whenever where whether which while who whole whom whose why will with within without
    won work worked working works would wouldn write writes writing written wrong wrote yes yet you your yours
    yourself yourselves""".split()  # noqa: SIM905
)

# Words of questions: no memory is about them.
ASKING_WORDS = frozenset(
    """am again against already because between both cannot didn doesn don down during each ever few further hadn
    hasn haven having herself himself hers how isn itself let ll myself nor off once only other our ours ourselves
    own re same shall since such tell theirs themselves through under until ve via was wasn whether while whom whose
    whenever won wouldn yes yet yours yourself d m s t""".split()  # noqa: SIM905
)
