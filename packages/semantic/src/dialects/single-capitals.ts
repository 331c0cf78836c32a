/** Letters of which ICU writes several capitals, such as FI for the ligature of f and i, and others one or none. */
const single = "ŉǰΐΰևẖẗẘẙẚὐὒὔὖᾲᾴᾶᾷῂῄῆῇῒΐῖῗῢΰῤῦῧῲῴῶῷﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ\u1fd3\u1fe3";
/** Their capitals are those with the iota beside them. */
const withIota = "ᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾳῃῳ";
const capitals = "ᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ";

/** Of a plane that no standard gives letters. */
const firstReserved = 0x10_ff00;

/** Capitals as one character for each letter: the others stay as they are. */
export function withSingleCapitals(text: string, upper: (text: string) => string): string {
  const letters = `${single}${withIota}${capitals}`;
  const reserved = [...letters].map((_, index) => String.fromCodePoint(firstReserved + index)).join("");
  const protectedText = `TRANSLATE(${text}, '${letters}', '${reserved}')`;
  return `TRANSLATE(${upper(protectedText)}, '${reserved}', '${single}${capitals}${capitals}')`;
}

/** Letters that are one character without their capital, as the functions of engines write them. */
export function smallLetters(text: string): string {
  const small = (letter: string) => {
    const lower = letter === "İ" ? "i" : letter.toLowerCase();
    return [...lower].length === 1 ? lower : letter;
  };
  return [...text].map(small).join("");
}
