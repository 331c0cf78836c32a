/** The words of ClickHouse. */
import { wordSet } from "../../select/select-grammar.ts";

/** Words that begin a clause, an operator or a statement. They are names only if they are quoted. */
export const clickhouseReserved = wordSet(`
  all alter and anti any array as asc asof attach between by case cast check create cross cube delete desc describe detach
  distinct drop else end except exchange exists explain fetch final for format from full function global grant group grouping
  having ilike in inner insert intersect interval into is join kill left like limit move natural not null offset on optimize
  or order outer outfile over paste prewhere qualify recursive rename replace revoke right rollup sample select semi set
  settings show system then to totals truncate union undrop update use using values watch when where window with
`);

const aggregates = `
  any anyheavy anylast argmax argmin avg avgweighted boundingratio corr count covarpop covarsamp entropy exponentialmovingaverage
  first_value grouparray grouparraymovingavg grouparraymovingsum grouparraysample groupbitand groupbitor groupbitxor
  groupconcat groupuniqarray histogram kurtpop kurtsamp last_value max median min quantile quantileexact quantileexactweighted
  quantiles quantilesexact quantilestdigest quantiletdigest quantiletiming retention sequencecount sequencematch skewpop
  skewsamp stddev_pop stddev_samp stddevpop stddevsamp sum sumkahan summap sumwithoverflow topk topkweighted uniq uniqcombined
  uniqcombined64 uniqexact uniqhll12 uniqthetasketch uniqupto var_pop var_samp varpop varsamp windowfunnel
`;

const combined = [...wordSet(aggregates)].flatMap((name) =>
  ["", "if", "array", "arrayif", "distinct", "distinctif", "ornull", "ordefault", "merge", "mergeif"].map(
    (suffix) => name + suffix,
  ),
);

/**
 * Functions that compute from their arguments, the clock or the session. Not listed: functions that wait, read dictionaries, files or other
 * servers, or return settings, the catalog or the text of statements.
 */
export const clickhouseFunctions: ReadonlySet<string> = new Set([
  ...combined,
  ...wordSet(`
  abs accuratecast accuratecastornull acos acosh adddays addhours addinterval addminutes addmonths addquarters addseconds addweeks
  addyears age and arrayall arrayavg arraycompact arrayconcat arraycount arraycumsum arraydifference arraydistinct arrayelement
  arrayenumerate arrayenumerateuniq arrayexists arrayfill arrayfilter arrayfirst arrayfirstindex arrayflatten arrayintersect
  arrayjoin arraylast arraylastindex arraymap arraymax arraymin arraypartialsort arraypopback arraypopfront arrayproduct
  arraypushback arraypushfront arrayreduce arrayresize arrayreverse arrayreversesort arrayrotateleft arrayrotateright
  arrayshingles arrayslice arraysort arraysplit arraystringconcat arraysum arrayuniq arraywithconstant arrayzip ascii asin asinh
  assumenotnull atan atan2 atanh bar base64decode base64encode bin bitand bitcount bitnot bitor bitshiftleft bitshiftright
  bittest bitxor cast cbrt ceil ceiling char char_length character_length cityhash64 coalesce concat
  concatwithseparator concat_ws cos cosh countequal countsubstrings crc32 cume_dist curdate current_date currentdatabase
  currentuser cutquerystring cutfragment cuttofirstsignificantsubdomain date date_add date_diff date_format date_sub date_trunc
  dateadd datediff datename datesub datetrunc day dayofmonth dayofweek dayofyear degrees dense_rank divide domain
  domainwithoutwww empty endswith equals erf erfc exp exp10 exp2 extract extractall extractallgroups extracturlparameter
  farmhash64 firstsignificantsubdomain flatten floor formatdatetime formatreadablequantity formatreadablesize
  formatreadabletimedelta fragment from_unixtime fromunixtimestamp fromunixtimestamp64micro
  fromunixtimestamp64milli fromunixtimestamp64nano gcd generateuuidv4 geodistance geohashdecode geohashencode
  getsubcolumn greatcircledistance greater greaterorequals greatest grouping has hasall hasany hassubstr hastoken hex hour if
  ifnotfinite ifnull initcap intdiv intdivorzero intersect ipv4cidrtorange ipv4numtostring ipv4stringtonum ipv6numtostring
  isfinite isinfinite isipv4string isipv6string isnan isnotnull isnull isvalidutf8 javahash json_exists json_query json_value
  jsonextract jsonextractarrayraw jsonextractbool jsonextractfloat jsonextractint jsonextractkeys jsonextractkeysandvalues
  jsonextractraw jsonextractstring jsonextractuint jsonhas jsonkey jsonlength jsontype lag laginframe lcase lcm lead leadinframe
  least left leftpad leftpadutf8 length lengthutf8 less lessorequals like ln locate log log10 log1p log2 lower lowerutf8 lpad
  ltrim makedate makedate32 makedatetime makedatetime64 map mapadd mapapply mapcontains mapfilter mapfromarrays mapkeys
  mapsubtract mapvalues match md5 mid minus minute modulo moduloorzero month monthname multifuzzymatchany multiif multimatchany
  multiply multisearchany multisearchfirstindex negate ngramdistance ngrams ngramsearch not notempty notequals
  notilike notlike now now64 nth_value ntile nullif or parsedatetime parsedatetimebesteffort
  parsedatetimebesteffortornull parsedatetimebesteffortorzero path pathfull percent_rank pi plus port position
  positioncaseinsensitive positionutf8 pow power protocol quarter querystring radians rand rand32 rand64 randcanonical range
  rank regexpextract regexpquotemeta repeat replace replaceall replaceone replaceregexpall replaceregexpone reverse reverseutf8
  right rightpad round roundage roundbankers rounddown roundduration roundtoexp2 row_number rpad rtrim runningaccumulate second
  sha1 sha224 sha256 sha512 sign simplejsonextractstring sin sinh siphash64 space splitbychar splitbynonalpha
  splitbyregexp splitbystring splitbywhitespace sqrt startswith subdate substr substring substringindex
  substringutf8 subtractdays subtracthours subtractminutes subtractmonths subtractquarters subtractseconds subtractweeks
  subtractyears tan tanh timediff timeslot timezone timezoneof timezoneoffset tobool todate todate32 todate32ornull todateornull
  todatetime todatetime64 todatetime64ornull todatetimeornull todayofmonth todayofweek todayofyear todecimal128 todecimal256
  todecimal32 todecimal64 todecimal64ornull tofixedstring tofloat32 tofloat32ornull tofloat64 tofloat64ornull tofloat64orzero
  tohour toint128 toint16 toint256 toint32 toint32ornull toint32orzero toint64 toint64ornull toint64orzero toint8 tointervalday
  tointervalhour tointervalminute tointervalmonth tointervalquarter tointervalsecond tointervalweek tointervalyear toipv4 toipv6
  toisoweek toisoyear tojsonstring tolastdayofmonth tolastdayofweek tolowcardinality tominute tomonday tomonth tonullable
  topleveldomain toquarter torelativedaynum torelativemonthnum torelativeweeknum tosecond tostartofday tostartoffifteenminutes
  tostartoffiveminutes tostartofhour tostartofinterval tostartofisoyear tostartofminute tostartofmonth tostartofquarter
  tostartofsecond tostartoftenminutes tostartofweek tostartofyear tostring tostringcutto0 totime totimezone totypename touint128
  touint16 touint256 touint32 touint32ornull touint64 touint64ornull touint64orzero touint8 tounixtimestamp
  tounixtimestamp64milli touuid touuidornull toweek toyear toyearweek toyyyymm toyyyymmdd toyyyymmddhhmmss transform translate
  trim trimboth trimleft trimright trunc truncate trycast tuple tupleelement ucase unhex untuple upper upperutf8 user utctimestamp
  uuidnumtostring uuidstringtonum validutf8 version week width_bucket xor xxhash64 year yesterday today yyyymmddtodate
`),
]);

export const clickhouseUnits = wordSet(`
  nanosecond microsecond millisecond second seconds minute minutes hour hours day days week weeks month months quarter quarters
  year years
`);

export const clickhouseTypes = wordSet(`
  int8 int16 int32 int64 int128 int256 uint8 uint16 uint32 uint64 uint128 uint256 float32 float64 decimal32 decimal64 decimal128
  decimal256 string fixedstring uuid date32 datetime64 time64 bool boolean ipv4 ipv6 array tuple map nullable lowcardinality text
`);

/** Why a word or symbol is refused where it cannot be part of a SELECT that only reads. */
export const clickhouseEffects: ReadonlyMap<string, string> = new Map([
  ["into", "INTO OUTFILE writes a file."],
  ["format", "FORMAT changes the form of the result."],
  ["settings", "SETTINGS changes the session."],
  ["?", "Write if(…) instead of the operator ?."],
]);
