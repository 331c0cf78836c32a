/** A small furniture shop in an SQLite database in memory, with one year of orders, which are the same in every run. */
import { DatabaseSync } from "node:sqlite";

const customers = ["Ada Byron", "Grace Hopper", "Alan Kay", "Edsger Moor", "Radia Lind", "Ken Aoki", "Mary Shaw"];
const products = [
  ["Walnut desk", 64900],
  ["Reading lamp", 8950],
  ["Office chair", 31900],
  ["Bookshelf", 22900],
  ["Wall clock", 4590],
  ["Wool rug", 18750],
];
/** Orders in each month of 2025: quiet in summer, busy before the holidays. */
const ordersByMonth = [9, 8, 11, 10, 12, 7, 6, 7, 12, 14, 19, 16];

export function openShop() {
  const shop = new DatabaseSync(":memory:");
  shop.exec(`
    CREATE TABLE orders (id TEXT PRIMARY KEY, day TEXT NOT NULL, customer TEXT NOT NULL);
    CREATE TABLE items (order_id TEXT NOT NULL REFERENCES orders, product TEXT, quantity INTEGER, price_cents INTEGER);
    CREATE VIEW order_totals AS
      SELECT id, day, customer, SUM(quantity * price_cents) AS cents FROM orders JOIN items ON order_id = id GROUP BY id;
  `);
  fill(shop, numbersFrom(2025));
  return shop;
}

function fill(shop, next) {
  const addOrder = shop.prepare("INSERT INTO orders VALUES (?, ?, ?)");
  const addItem = shop.prepare("INSERT INTO items VALUES (?, ?, ?, ?)");
  let number = 1000;
  for (const [index, count] of ordersByMonth.entries()) {
    const month = String(index + 1).padStart(2, "0");
    for (let order = 0; order < count; order++) {
      number += 1;
      const id = `A-${number}`;
      addOrder.run(id, `2025-${month}-${String(1 + next(28)).padStart(2, "0")}`, customers[next(customers.length)]);
      const first = next(products.length);
      for (let item = 0; item <= next(3); item++) addItem.run(id, ...pick(first + item, next));
    }
  }
}

function pick(index, next) {
  const [product, cents] = products[index % products.length];
  return [product, 1 + next(3), cents];
}

/** Returns a generator of pseudo-random numbers below a limit, the same in every run (a linear congruential generator). */
function numbersFrom(seed) {
  let state = seed;
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * limit);
  };
}
