/**
 * The database of `bridle context demo`: a coffee roaster with a shop. It is the same in every run.
 *
 * It resembles a database that has grown over years. No key or link is declared, names differ on the two sides of a link, 2 % of the order
 * lines name a product that was deleted, refunds belong to orders instead of lines, so that a join multiplies them, and orders of the test
 * shop must not count as sales. Stock cannot be added up over time, and products have several labels.
 */
import { DatabaseSync } from "node:sqlite";

const tables = `
  CREATE TABLE customers (cust_no INTEGER, full_name TEXT, email TEXT, phone TEXT, country TEXT, signed_up_on TEXT);
  CREATE TABLE addresses (addr_id INTEGER, cust_no INTEGER, street TEXT, city TEXT, postcode TEXT);
  CREATE TABLE orders (order_no INTEGER, buyer_no INTEGER, ship_addr_id INTEGER, bill_addr_id INTEGER, channel TEXT,
    status TEXT, placed_at TEXT);
  CREATE TABLE order_lines (order_no INTEGER, line_no INTEGER, sku TEXT, qty INTEGER, unit_price DECIMAL(10,2));
  CREATE TABLE products (sku TEXT, title TEXT, cat_code TEXT, supplier_id INTEGER, list_price DECIMAL(10,2));
  CREATE TABLE categories (cat_code TEXT, parent_code TEXT, label TEXT);
  CREATE TABLE suppliers (supplier_id INTEGER, company TEXT, iban TEXT, contact_email TEXT);
  CREATE TABLE shipments (shipment_id INTEGER, order_no INTEGER, line_no INTEGER, carrier TEXT, shipped_on TEXT);
  CREATE TABLE refunds (refund_id INTEGER, order_no INTEGER, amount DECIMAL(10,2), reason TEXT, refunded_on TEXT);
  CREATE TABLE ratings (rating_id INTEGER, sku TEXT, cust_no INTEGER, stars INTEGER, rated_on TEXT);
  CREATE TABLE shop_settings (setting TEXT, content TEXT);
  CREATE TABLE stock_counts (sku TEXT, counted_on TEXT, units INTEGER);
  CREATE TABLE product_labels (sku TEXT, label TEXT);
`;

const firstNames = ["Ada", "Grace", "Alan", "Radia", "Ken", "Mary", "Élodie", "Søren", "Zoë", "Ngozi", "Jörg", "Mei"];
const lastNames = ["Byron", "Hopper", "Kay", "Lind", "Aoki", "Shaw", "Marchand", "Holm", "Okafor", "Weiß", "Chen"];
const countries = ["DE", "FR", "DK", "GR", "GB"];
const cities = ["Hamburg", "Lyon", "Aarhus", "Αθήνα", "Leeds"];
const categories = [
  ["BEV", null, "Drinks"],
  ["COF", "BEV", "Coffee"],
  ["TEA", "BEV", "Tea"],
  ["GEA", null, "Equipment"],
  ["GRI", "GEA", "Grinders"],
  ["BRE", "GEA", "Brewers"],
];
const products = [
  ["CF-ETH-250", "Yirgacheffe 250 g", "COF", 11.9],
  ["CF-ETH-1K", "Yirgacheffe 1 kg", "COF", 39.5],
  ["CF-COL-250", "Huila 250 g", "COF", 10.9],
  ["CF-COL-1K", "Huila 1 kg", "COF", 35.5],
  ["CF-BLE-1K", "House blend 1 kg", "COF", 29.9],
  ["TE-SEN-100", "Sencha 100 g", "TEA", 14.2],
  ["TE-OOL-100", "Oolong 100 g", "TEA", 18.6],
  ["GR-HAND", "Hand grinder", "GRI", 89],
  ["GR-FLAT64", "Flat burr grinder 64 mm", "GRI", 449],
  ["BR-POUR", "Pour-over set", "BRE", 38.5],
  ["BR-PRESS", "French press", "BRE", 42],
  ["BR-ESP2", "Espresso machine, two circuits", "BRE", 1290],
];
const carriers = ["Post", "Courier", "Pickup"];
const reasons = ["damaged", "late", "changed mind"];

/** Writes the database to a file that does not exist yet. */
export function writeCompany(file) {
  const database = new DatabaseSync(file);
  try {
    database.exec(tables);
    database.exec("BEGIN");
    fill(database, numbersFrom(7));
    database.exec("COMMIT");
  } finally {
    database.close();
  }
}

function fill(database, next) {
  const add = (table, ...values) => {
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(", ")})`).run(...values);
  };
  fillCatalog(add);
  fillCustomers(add, next);
  const counters = { line: 0, shipment: 70_000, refund: 300, rating: 1 };
  for (let order = 0; order < 900; order++) fillOrder(add, next, order, counters);
  add("shop_settings", "currency", "EUR");
  add("shop_settings", "test_channel", "test");
  fillStock(add, next);
  fillLabels(add);
}

/** Adds stock counts for the end of each month, but not of every product every time. */
function fillStock(add, next) {
  for (let month = 0; month < 24; month++) {
    const day = new Date(Date.UTC(2024, month + 1, 0)).toISOString().slice(0, 10);
    for (const [sku] of products) if (next(5) > 0) add("stock_counts", sku, day, 5 + next(60));
  }
}

/** Adds labels to products. A product can have several labels, or none. */
function fillLabels(add) {
  for (const [index, [sku]] of products.entries()) {
    if (index % 2 === 0) add("product_labels", sku, "bestseller");
    if (index % 3 === 0) add("product_labels", sku, "gift");
    if (index % 4 === 1) add("product_labels", sku, "fair trade");
  }
}

function fillCatalog(add) {
  for (const category of categories) add("categories", ...category);
  for (let supplier = 0; supplier < 4; supplier++) {
    const iban = germanIban(`${50010517 + supplier}${String(5407324931 + supplier * 977)}`);
    add(
      "suppliers",
      11 + supplier * 3,
      `Importer ${"ABCD"[supplier]}`,
      iban,
      `orders@importer-${supplier + 1}.example`,
    );
  }
  for (const [index, [sku, title, category, price]] of products.entries()) {
    add("products", sku, title, category, 11 + (index % 4) * 3, price);
  }
}

function fillCustomers(add, next) {
  for (let customer = 0; customer < 160; customer++) {
    const name = `${firstNames[next(firstNames.length)]} ${lastNames[next(lastNames.length)]}`;
    const place = next(countries.length);
    const phone = next(9) === 0 ? "" : `+49 40 ${String(3_000_000 + next(900_000))}`;
    const number = 10_001 + customer;
    add("customers", number, name, `c${number}@mail.example`, phone, countries[place], dayOf(next(700), 2023));
    for (let address = 0; address <= customer % 2; address++) {
      const street = `${1 + next(90)} ${["Mill Lane", "Harbour Road", "Station Street"][next(3)]}`;
      add(
        "addresses",
        5000 + customer * 2 + address,
        number,
        street,
        cities[(place + address) % 5],
        String(10_000 + next(80_000)),
      );
    }
  }
}

function fillOrder(add, next, order, counters) {
  const customer = next(160);
  const address = 5000 + customer * 2;
  const second = customer % 2 === 1 && next(3) === 0 ? address + 1 : address;
  const day = Math.floor(order * 0.81);
  const channel = next(25) === 0 ? "test" : ["web", "web", "shop"][next(3)];
  const status = next(12) === 0 ? "cancelled" : "done";
  const number = 240_001 + order;
  const time = `${dayOf(day, 2024)} ${String(8 + next(12)).padStart(2, "0")}:${String(next(60)).padStart(2, "0")}:00`;
  add("orders", number, 10_001 + customer, second, address, channel, status, time);
  const lines = 1 + next(4);
  const first = next(products.length);
  for (let line = 1; line <= lines; line++) {
    const [sku, , , price] = products[(first + line * 5) % products.length];
    add("order_lines", number, line, next(50) === 0 ? "CF-OLD-500" : sku, 1 + next(3), price);
    if (status === "done") {
      add("shipments", counters.shipment++, number, line, carriers[next(3)], dayOf(day + 1 + next(4), 2024));
    }
    if (next(6) === 0) add("ratings", counters.rating++, sku, 10_001 + customer, 1 + next(5), dayOf(day + 9, 2024));
  }
  if (status === "done" && next(14) === 0) {
    add("refunds", counters.refund++, number, 5 + next(40) / 2, reasons[next(3)], dayOf(day + 12, 2024));
  }
}

/** Returns the date `days` days after the first of January of `year`, as ISO 8601. */
function dayOf(days, year) {
  return new Date(Date.UTC(year, 0, 1 + days)).toISOString().slice(0, 10);
}

/** Returns a German bank account number with valid check digits (ISO 13616). */
function germanIban(account) {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, "0")}${account}`;
}

/** Returns a generator of pseudo-random numbers below a limit, the same in every run (a linear congruential generator). */
function numbersFrom(seed) {
  let state = seed;
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * limit);
  };
}
