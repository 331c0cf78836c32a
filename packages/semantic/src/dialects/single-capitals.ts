/**
 * Letters that ICU converts to several capitals, such as the ligature of f and i to FI. Other implementations convert such a letter to one
 * capital, or do not change it.
 */
const single = "ŉǰΐΰևẖẗẘẙẚὐὒὔὖᾲᾴᾶᾷῂῄῆῇῒΐῖῗῢΰῤῦῧῲῴῶῷﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ\u1fd3\u1fe3";
/** Letters with iota subscript. Their single capitals are in `capitals`, with the iota next to the letter. */
const withIota = "ᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾳῃῳ";
const capitals = "ᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ";

/** The start of a range to which no standard assigns letters. */
const firstReserved = 0x10_ff00;

/** Converts letters to capitals of one character each. Letters without such a capital do not change. */
export function withSingleCapitals(text: string, upper: (text: string) => string): string {
  const letters = `${single}${withIota}${capitals}`;
  const reserved = [...letters].map((_, index) => String.fromCodePoint(firstReserved + index)).join("");
  const protectedText = `TRANSLATE(${text}, '${letters}', '${reserved}')`;
  return `TRANSLATE(${upper(protectedText)}, '${reserved}', '${single}${capitals}${capitals}')`;
}

/** Converts to lower case as engines' functions do. A letter whose lower case has more than one character does not change. */
export function smallLetters(text: string): string {
  const small = (letter: string) => {
    const lower = letter === "İ" ? "i" : letter.toLowerCase();
    return [...lower].length === 1 ? lower : letter;
  };
  return [...text].map(small).join("");
}
