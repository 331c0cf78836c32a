/** Number words in the languages of documents. */

const units =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";
const lists: readonly string[] = [
  units,
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
  "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
  "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
  "zero - dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte",
  "zero - due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
  "nul - twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig",
  "ноль - два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
];
const tens: Readonly<Record<string, number>> = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1000,
  dreißig: 30,
  vierzig: 40,
  fünfzig: 50,
  sechzig: 60,
  siebzig: 70,
  achtzig: 80,
  neunzig: 90,
  hundert: 100,
  trente: 30,
  quarante: 40,
  cinquante: 50,
  soixante: 60,
  cent: 100,
  treinta: 30,
  cuarenta: 40,
  cincuenta: 50,
  sesenta: 60,
  cien: 100,
  trinta: 30,
  quarenta: 40,
  cinquenta: 50,
  sessenta: 60,
  cem: 100,
  trenta: 30,
  quaranta: 40,
  cinquanta: 50,
  sessanta: 60,
  cento: 100,
  dertig: 30,
  veertig: 40,
  vijftig: 50,
  zestig: 60,
  honderd: 100,
  duas: 2,
  zwei: 2,
  семи: 7,
  пяти: 5,
  десяти: 10,
  трёх: 3,
  трех: 3,
  двух: 2,
  четырёх: 4,
  тридцать: 30,
  dozen: 12,
};

/** The values of number words in lower case. "One" is missing, because it is often an article. */
const values = new Map<string, number>([
  ...lists.flatMap((list) => list.split(" ").map((word, value): [string, number] => [word, value])),
  ...Object.entries(tens),
]);
for (const word of ["-", "one", "eins", "acht", "sei", "once", "null", "cent"]) values.delete(word); // these words have other meanings, too

export function valueOfNumberWord(word: string): number | undefined {
  return values.get(word);
}

const digits = "〇一二三四五六七八九";
const powers: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000, 萬: 10_000 };

/** Returns the value of a number in kanji: 30 for `三十`. */
export function valueOfKanji(text: string): number | undefined {
  let [total, section, digit] = [0, 0, 0];
  for (const character of text) {
    const value = digits.indexOf(character);
    const power = powers[character];
    if (value >= 0) digit = value;
    else if (power === 10_000) [total, section, digit] = [total + (section + digit || 1) * power, 0, 0];
    else if (power !== undefined) [section, digit] = [section + (digit || 1) * power, 0];
    else return undefined;
  }
  return total + section + digit;
}
