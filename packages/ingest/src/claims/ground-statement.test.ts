import { expect, test } from "vitest";
import { groundStatement } from "./ground-statement.ts";

const kindOf = (statement: string, quote: string) =>
  groundStatement(statement, { quote, around: quote, headings: [] }).kind;

test.each([
  ["The fee is charged if the rider cancels.", "The fee is charged unless the rider cancels."],
  ["The fee is charged unless the rider cancels.", "The fee is charged if the rider cancels."],
  ["The fee is charged.", "The fee is charged unless the rider cancels."],
  ["The fee is charged", "If the rider cancels, the fee is charged."],
  ["Trips are counted when they end.", "Trips are counted until they end."],
  ["Active riders are all riders with a trip.", "Active riders are all riders with a trip, except for test riders."],
  ["Revenue is the sum of all trips", "Revenue is the sum of all trips, apart from refunded trips."],
  ["Umsatz ist die Summe aller Fahrten.", "Umsatz ist die Summe aller Fahrten, außer Testfahrten."],
  ["Le revenu est la somme des courses.", "Le revenu est la somme des courses, sauf les courses de test."],
  ["A session ends after 5 hours without a click.", "A session ends after 5 minutes without a click."],
  ["A session ends after five hours without a click.", "A session ends after 5 minutes without a click."],
  ["Refunds are paid within 3 days.", "Refunds are paid within 3 business days."],
  ["The fee is 5 percent.", "The fee is 5 percentage points."],
  ["The fee is 20 USD.", "The fee is €20."],
  ["The limit is 5 million rows.", "The limit is 5 thousand rows."],
  ["All riders pay the booking fee.", "Most riders pay the booking fee."],
  ["Some orders have a voucher.", "All orders have a voucher."],
  ["Large orders have at least 10 lines.", "Large orders have at most 10 lines."],
  ["Large orders have at least 10 lines.", "Large orders have more than 10 lines."],
  ["Orders are counted on weekdays.", "Orders are counted only on weekdays."],
])("a statement that changes the meaning is refused: %s ← %s", (statement, quote) => {
  expect(kindOf(statement, quote)).toBe("unfounded");
});

test.each([
  ["Riders pay the booking fee in advance.", "Most riders pay the booking fee in advance, by card."],
  ["Deliveries take 3 days in the north.", "Deliveries in the north take about 3 days."],
])("a statement that leaves out how much it says is put to a model: %s ← %s", (statement, quote) => {
  expect(kindOf(statement, quote)).toBe("paraphrase");
});

test.each([
  ["The fee is charged unless the rider cancels.", "The fee is charged unless the rider cancels."],
  ["The fee is charged unless the rider cancels", "In Berlin the fee is charged unless the rider cancels."],
  ["A session ends after 5 minutes without a click.", "A session ends after 5 minutes without a click."],
  [
    "Active riders are all riders with a trip, except for test riders.",
    "Active riders are all riders with a trip, except for test riders.",
  ],
  ["The fee is 5 percent.", "The fee is 5 percent; it is waived if the rider is new."],
])("a statement with the words of its quote is kept: %s ← %s", (statement, quote) => {
  expect(["verbatim", "close"]).toContain(kindOf(statement, quote));
});
