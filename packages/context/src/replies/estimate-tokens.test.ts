import { expect, test } from "vitest";
import { estimateReplyTokens } from "./estimate-tokens.ts";

/** Texts with their number of tokens in o200k_base, counted with gpt-tokenizer 3. */
const counted: readonly (readonly [string, number])[] = [
  ["kqzvxjwbkqzvxjwbxzqkvjwbkxqzvjwb", 22],
  ["XKQZVBNMWPLTRGHJXKQZVBNMWPLTRGHJ", 22],
  ["aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0IHRleHQ=", 28],
  ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43],
  ["cust_ord_hdr_amt_qty_dt", 6],
  ["very_long_name_of_customer_order_amount", 7],
  ["One row for each order that a customer has placed in the shop.", 14],
  ["customerOrderStatusHistory", 4],
  ["| --- | --- | 12.50 | NULL |", 12],
  ["a b c d e f g h i j k l m n o p", 16],
  ["受注明細テーブルの説明", 7],
  ["鬱靄驫麤龘齉爨籲鸞鱻", 21],
  ["Περιγραφή του πίνακα", 7],
  ["описание таблицы заказов", 6],
  ["ลูกค้าและคำสั่งซื้อ", 7],
  ["ग्राहक और आदेश", 5],
  ["고객주문내역서류", 8],
  ["የደንበኛ ትዕዛዝ", 19],
  ["💥🚀🧨🪐🦑🧿", 16],
  ["𝔘𝔫𝔦𝔠𝔬𝔡𝔢", 21],
  ["𒀀𒁀𒂀𒃀", 16],
  ["áéíóúñçäöüßøåžšč", 15],
  ["2026-01-02T03:04:05.678Z", 15],
  ["DE89370400440532013000", 8],
];

test.each(counted)("%j has at least as many tokens by estimate as in o200k_base", (text, tokens) => {
  expect(estimateReplyTokens(text)).toBeGreaterThanOrEqual(tokens);
});

test("an English sentence and a name have at most twice and three times the tokens by estimate", () => {
  expect(estimateReplyTokens("One row for each order that a customer has placed in the shop.")).toBeLessThanOrEqual(28);
  expect(estimateReplyTokens("very_long_name_of_customer_order_amount")).toBeLessThanOrEqual(24);
});
