/** Words with a meaning of their own for comparing statements. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words that say nothing about what a statement is about. */
export const emptyWords = words(
  `a about after all also an and any are as at be been before being by can could did do does done each either every for from
  had has have having he her his how if in into is it its itself just let may might more most must of on once one only or other
  our out over own per shall she should since so some such than that the their them then there these they this those through thus
  to too under until up upon us very was we were what when where which while who whose why will with within would you your
  always count counts counted called means mean equals equal include includes included
  der die das den dem des ein eine einer eines einem und oder ist sind wird werden von mit für auf im in zu als bei aus
  o os as um uma de da do das dos em no na nos nas por para com que se ao à é são foi
  el la los las un una unos unas y o del al es son en por con que
  le les un une des du et ou est sont dans par pour avec que qui au aux sur
  il lo gli uno di da con su per che è sono`,
);

/** Words that deny, in several languages. */
export const denyingWords = words(
  `not no never without none neither nor cannot nothing nobody except excluding exclude excludes excluded non
  nicht kein keine keinen keiner keinem nie niemals ohne weder
  não nao nunca sem nem jamais
  ni sin ningún ninguna
  pas sans aucun aucune jamais ne
  senza nessun nessuna mai
  не нет без никогда ни
  geen niet zonder nooit`,
);

/** Numbers that texts write as words. One is left out: it is a pronoun, too. */
export const numberWords: ReadonlyMap<string, string> = new Map(
  [
    "zero",
    "",
    "two zwei dois dos deux due два",
    "three drei três tres trois tre три",
    "four vier quatro cuatro quatre quattro четыре",
    "five fünf cinco cinq cinque пять",
    "six sechs seis sei шесть",
    "seven sieben sete siete sept sette семь",
    "eight acht oito ocho huit otto восемь",
    "nine neun nove nueve neuf девять",
    "ten zehn dez diez dix dieci десять",
    "eleven elf onze undici",
    "twelve zwölf doze doce douze dodici",
    "thirteen dreizehn",
    "fourteen vierzehn catorze quatorze",
    "fifteen fünfzehn quinze quince",
    "sixteen sechzehn",
    "seventeen siebzehn",
    "eighteen achtzehn",
    "nineteen neunzehn",
    "twenty zwanzig vinte veinte vingt venti двадцать",
  ]
    .flatMap((line, number) => line.split(" ").map((word): [string, string] => [word, String(number)]))
    .concat(
      [
        ...["thirty 30 dreißig 30 trinta 30 treinta 30 trente 30 trenta 30 forty 40 vierzig 40 fifty 50 fünfzig 50"],
        ...[
          "sixty 60 sechzig 60 seventy 70 eighty 80 ninety 90 hundred 100 hundert 100 cem 100 thousand 1000 tausend 1000",
        ],
        ...["first 1. second 2. third 3. fourth 4. fifth 5. sixth 6. seventh 7. eighth 8. ninth 9. tenth 10."],
        ...["half 1/2 twice 2 double 2 triple 3 thrice 3 dozen 12"],
      ].flatMap(pairsOf),
    )
    .filter(([word]) => word !== ""),
);

function pairsOf(text: string): [string, string][] {
  return [...text.matchAll(/(\S+) (\S+)/g)].map(([, word = "", number = ""]) => [word, number]);
}

/** Units by their names, so that `30 min` and `30 minutes` are equal. */
export const unitNames: ReadonlyMap<string, string> = new Map(
  [
    "second seconds sec secs s sekunde sekunden segundo segundos seconde secondes",
    "minute minutes min mins minuten minuto minutos minuti",
    "hour hours hr hrs h stunde stunden hora horas heure heures",
    "day days d tag tage tagen dia dias día días jour jours giorni",
    "week weeks wk woche wochen semana semanas semaine semaines",
    "month months monat monate monaten mes meses mois mesi",
    "year years yr yrs jahr jahre jahren ano anos año años an ans",
    "percent percentage % prozent",
    "euro euros eur €",
    "dollar dollars usd $",
    "pound pounds gbp £",
    "cent cents ct",
    "metre metres meter meters m",
    "kilometre kilometres kilometer kilometers km",
    "times × x",
  ].flatMap((line) => {
    const names = line.split(" ");
    return names.map((name): [string, string] => [name, names[0] ?? name]);
  }),
);
