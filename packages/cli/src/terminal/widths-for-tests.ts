/**
 * The most columns that any terminal takes for a character, from a table that the code under test does not use.
 *
 * The code points to which East Asian fonts give two columns: the classes W, F and A of EastAsianWidth.txt, Unicode 14, from Python's
 * `unicodedata`.
 */
const wide = `
  a1 a4 a7-a8 aa ad-ae b0-b4 b6-ba bc-bf c6 d0 d7-d8 de-e1 e6 e8-ea ec-ed f0 f2-f3 f7-fa fc fe 101 111 113 11b
  126-127 12b 131-133 138 13f-142 144 148-14b 14d 152-153 166-167 16b 1ce 1d0 1d2 1d4 1d6 1d8 1da 1dc 251 261
  2c4 2c7 2c9-2cb 2cd 2d0 2d8-2db 2dd 2df 300-36f 391-3a1 3a3-3a9 3b1-3c1 3c3-3c9 401 410-44f 451 1100-115f 2010
  2013-2016 2018-2019 201c-201d 2020-2022 2024-2027 2030 2032-2033 2035 203b 203e 2074 207f 2081-2084 20ac 2103
  2105 2109 2113 2116 2121-2122 2126 212b 2153-2154 215b-215e 2160-216b 2170-2179 2189 2190-2199 21b8-21b9 21d2
  21d4 21e7 2200 2202-2203 2207-2208 220b 220f 2211 2215 221a 221d-2220 2223 2225 2227-222c 222e 2234-2237
  223c-223d 2248 224c 2252 2260-2261 2264-2267 226a-226b 226e-226f 2282-2283 2286-2287 2295 2299 22a5 22bf 2312
  231a-231b 2329-232a 23e9-23ec 23f0 23f3 2460-24e9 24eb-254b 2550-2573 2580-258f 2592-2595 25a0-25a1 25a3-25a9
  25b2-25b3 25b6-25b7 25bc-25bd 25c0-25c1 25c6-25c8 25cb 25ce-25d1 25e2-25e5 25ef 25fd-25fe 2605-2606 2609
  260e-260f 2614-2615 261c 261e 2640 2642 2648-2653 2660-2661 2663-2665 2667-266a 266c-266d 266f 267f 2693
  269e-269f 26a1 26aa-26ab 26bd-26bf 26c4-26e1 26e3 26e8-26ff 2705 270a-270b 2728 273d 274c 274e 2753-2755 2757
  2776-277f 2795-2797 27b0 27bf 2b1b-2b1c 2b50 2b55-2b59 2e80-2e99 2e9b-2ef3 2f00-2fd5 2ff0-2ffb 3000-303e
  3041-3096 3099-30ff 3105-312f 3131-318e 3190-31e3 31f0-321e 3220-4dbf 4e00-a48c a490-a4c6 a960-a97c ac00-d7a3
  f900-fa6d fa70-fad9 fe00-fe19 fe30-fe52 fe54-fe66 fe68-fe6b ff01-ff60 ffe0-ffe6 fffd 16fe0-16fe4 16ff0-16ff1
  17000-187f7 18800-18cd5 18d00-18d08 1aff0-1aff3 1aff5-1affb 1affd-1affe 1b000-1b122 1b150-1b152 1b164-1b167
  1b170-1b2fb 1f004 1f0cf 1f100-1f10a 1f110-1f12d 1f130-1f169 1f170-1f1ac 1f200-1f202 1f210-1f23b 1f240-1f248
  1f250-1f251 1f260-1f265 1f300-1f320 1f32d-1f335 1f337-1f37c 1f37e-1f393 1f3a0-1f3ca 1f3cf-1f3d3 1f3e0-1f3f0
  1f3f4 1f3f8-1f43e 1f440 1f442-1f4fc 1f4ff-1f53d 1f54b-1f54e 1f550-1f567 1f57a 1f595-1f596 1f5a4 1f5fb-1f64f
  1f680-1f6c5 1f6cc 1f6d0-1f6d2 1f6d5-1f6d7 1f6dd-1f6df 1f6eb-1f6ec 1f6f4-1f6fc 1f7e0-1f7eb 1f7f0 1f90c-1f93a
  1f93c-1f945 1f947-1f9ff 1fa70-1fa74 1fa78-1fa7c 1fa80-1fa86 1fa90-1faac 1fab0-1faba 1fac0-1fac5 1fad0-1fad9
  1fae0-1fae7 1faf0-1faf6 20000-2a6df 2a700-2b738 2b740-2b81d 2b820-2cea1 2ceb0-2ebe0 2f800-2fa1d 30000-3134a
  e0100-e01ef
`;

const columns = new Map<number, number>();
for (const range of wide.trim().split(/\s+/)) {
  const [first = 0, last = first] = range.split("-").map((code) => Number.parseInt(code, 16));
  for (let code = first; code <= last; code += 1) columns.set(code, 2);
}

/**
 * Returns the columns of a row in a terminal with East Asian fonts. Such a terminal draws each mark separately if it cannot combine the
 * mark.
 */
export function columnsInAnyTerminal(row: string): number {
  let sum = 0;
  for (const character of row) {
    const isEmoji = /\p{ExtPict}|\p{RI}/u.test(character);
    const isMark = /\p{M}/u.test(character);
    sum += isMark ? 1 : isEmoji ? 2 : (columns.get(character.codePointAt(0) ?? 0) ?? 1);
  }
  return sum;
}
