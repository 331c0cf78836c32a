import { describe, expect, test } from "vitest";
import { parseDocument } from "../src/index.ts";

interface Read {
  readonly text: string;
  readonly warnings: readonly string[];
}

async function read(bytes: Uint8Array, name = "a.txt"): Promise<Read> {
  const warnings: string[] = [];
  const blocks = await parseDocument({ name, bytes }, {}, (problem) => warnings.push(problem));
  return { text: blocks.map(({ text }) => text).join("\n\n"), warnings };
}

/** Encodes a text with a table of all characters of one or two bytes. */
function encode(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, number[]>();
  for (const first of Array.from({ length: 0x80 }, (_, index) => index + 0x80))
    for (const second of [undefined, ...Array.from({ length: 0xc0 }, (_, index) => index + 0x40)]) {
      const bytes = second === undefined ? [first] : [first, second];
      const character = tryToDecode(decoder, bytes);
      if (character !== undefined && [...character].length === 1 && !table.has(character)) table.set(character, bytes);
    }
  return Uint8Array.from([...text].flatMap((character) => table.get(character) ?? [character.charCodeAt(0)]));
}

function tryToDecode(decoder: InstanceType<typeof TextDecoder>, bytes: readonly number[]): string | undefined {
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

const texts = {
  German:
    "Die Rückgabe ist innerhalb von dreißig Tagen möglich. Für größere Bestellungen fällt eine Gebühr an, über die wir Sie vorher informieren.",
  French:
    "Les retours sont acceptés pendant trente jours à compter de la réception, sauf si la marchandise est abîmée. Écrivez à notre équipe française.",
  Polish:
    "Zwrot jest możliwy w ciągu trzydziestu dni. Koszty wysyłki ponosi kupujący, chyba że towar jest uszkodzony. Dział obsługi klienta w Łodzi odpowie.",
  Russian: "Возврат возможен в течение тридцати дней. Расходы на доставку несёт покупатель, если товар не повреждён.",
  Greek: "Η επιστροφή είναι δυνατή μέσα σε τριάντα ημέρες. Τα έξοδα αποστολής βαρύνουν τον αγοραστή.",
  Japanese: "返品は三十日以内に可能です。商品が破損していない限り、送料はお客様のご負担となります。",
  Chinese: "退货可在三十天内办理。除非商品损坏,否则运费由买方承担。其他问题由我们的客户服务部门答复。",
  Korean: "반품은 삼십일 이내에 가능합니다. 상품이 파손되지 않은 경우 배송비는 구매자가 부담합니다.",
};

describe("a text in an encoding that it does not name is read in the one that fits, with a warning", () => {
  test.each([
    ["German", "latin1", "Windows-1252"],
    ["French", "latin1", "Windows-1252"],
    ["Polish", "windows-1250", "Windows-1250"],
    ["Russian", "windows-1251", "Windows-1251"],
    ["Russian", "koi8-r", "KOI8-R"],
    ["Greek", "iso-8859-7", "ISO-8859-7"],
    ["Japanese", "shift_jis", "CP932"],
    ["Japanese", "euc-jp", "EUC-JP"],
    ["Chinese", "gbk", "GB18030"],
    ["Korean", "euc-kr", "CP949"],
  ] as const)("%s in %s", async (language, encoding, named) => {
    const bytes = encoding === "latin1" ? Buffer.from(texts[language], "latin1") : encode(texts[language], encoding);
    expect(await read(bytes)).toEqual({
      text: texts[language],
      warnings: [`is read as ${named}, which is a guess. If letters are wrong, save it as UTF-8.`],
    });
  });

  test("after a long beginning without other letters, and in every format of text", async () => {
    const bytes = Buffer.from(`${"Plain words. ".repeat(30_000)}\n\n${texts.German}`, "latin1");
    expect((await read(bytes)).text).toContain(texts.German);
    for (const name of ["a.md", "a.html", "a.csv", "a.jsonl"]) {
      const text = name === "a.jsonl" ? JSON.stringify({ note: texts.German }) : `note\n${texts.German}`;
      const found = await read(Buffer.from(text, "latin1"), name);
      expect([found.text, found.warnings]).toEqual([expect.stringContaining("dreißig Tagen"), [expect.any(String)]]);
    }
  });
});

describe("a text in UTF-16 without a byte order mark is read without a warning", () => {
  test.each(["German", "Russian", "Greek", "Polish"] as const)("%s", async (language) => {
    const little = Buffer.from(texts[language], "utf16le");
    expect(await read(little)).toEqual({ text: texts[language], warnings: [] });
    expect(await read(Buffer.from(little).swap16())).toEqual({ text: texts[language], warnings: [] });
  });
});

describe("a text whose encoding stays unclear is refused, and never read with wrong letters", () => {
  const dos = new Map(Object.entries({ ü: 0x81, ö: 0x94, ä: 0x84, ß: 0xe1 }));
  const mac = new Map(Object.entries({ "’": 0xd5, "“": 0xd2, "”": 0xd3 }));
  const bytesOf = (text: string, table: ReadonlyMap<string, number>) =>
    Uint8Array.from([...text].map((character) => table.get(character) ?? character.charCodeAt(0)));
  test.each<[string, Uint8Array]>([
    ["German of MS-DOS", bytesOf(texts.German, dos)],
    ["few signs of the Macintosh", bytesOf("It’s a “fine” day", mac)],
    ["random bytes", Uint8Array.from({ length: 2000 }, (_, index) => (index * 7919 + (index >> 3) * 104_729) % 251)],
    ["Japanese in UTF-16 without a byte order mark", Buffer.from(texts.Japanese, "utf16le")],
    ["bytes with control characters", Uint8Array.from({ length: 200 }, (_, index) => index % 16)],
  ])("%s", async (_title, bytes) => {
    await expect(read(bytes)).rejects.toThrow(/^a\.txt is neither UTF-8 nor UTF-16 text[.,].* Save it as UTF-8\.$/);
  });
});

describe("a text in UTF-8 is read as it is", () => {
  test.each([
    "café",
    "a single \0 in a text of many letters",
    "\ufeffwith a mark",
    "\u001b[31mred\u001b[0m in a terminal",
  ])("%j", async (text) => {
    expect(await read(new TextEncoder().encode(text))).toEqual({ text: text.replace("\ufeff", ""), warnings: [] });
  });
});

test("a page that declares windows-1252 has its quotation marks and its euro sign", async () => {
  const page = Buffer.from('<meta charset="windows-1252"><p>\x84Gr\xfc\xdfe\x93 \x96 5 \x80</p>', "latin1");
  expect(await read(page, "a.html")).toEqual({ text: "„Grüße“ – 5 €", warnings: [] });
});

test("a page that declares UTF-16 although its bytes are another encoding is not read as UTF-16", async () => {
  const page = Buffer.from(`<meta charset="utf-16"><p>${texts.German}</p>`, "latin1");
  await expect(read(page, "a.html")).rejects.toThrow("Save it as UTF-8.");
});
