/** Careless SQL statements that return wrong results because of a trap in the data, by the demo's questions. */
const sold = "o.status = 'done' AND o.channel <> 'test'";
const in2025 = "o.placed_at >= '2025-01-01' AND o.placed_at < '2026-01-01'";
const lines = "main.order_lines l JOIN main.orders o ON o.order_no = l.order_no";
const sales = "sum(l.qty * l.unit_price)";

export const naiveStatements: Readonly<Record<string, string>> = {
  "What were our sales in 2025 after refunds?": `SELECT ${sales} - sum(r.amount) FROM ${lines}
    LEFT JOIN main.refunds r ON r.order_no = o.order_no WHERE ${sold} AND ${in2025}`,
  "What are sales and refunds by channel, without the test shop?": `SELECT o.channel, ${sales}, sum(r.amount) FROM ${lines}
    LEFT JOIN main.refunds r ON r.order_no = o.order_no WHERE ${sold} GROUP BY o.channel`,
  "How many customers and how many orders are there in each country?": `SELECT c.country, count(c.cust_no), count(o.order_no)
    FROM main.customers c LEFT JOIN main.orders o ON o.buyer_no = c.cust_no GROUP BY c.country`,
  "What is the average list price of the products in each category?": `SELECT c.label, avg(p.list_price)
    FROM main.order_lines l JOIN main.products p ON p.sku = l.sku JOIN main.categories c ON c.cat_code = p.cat_code
    GROUP BY c.label`,
  "What are sales by product category, with those of deleted products?": `SELECT c.label, ${sales} FROM ${lines}
    JOIN main.products p ON p.sku = l.sku JOIN main.categories c ON c.cat_code = p.cat_code WHERE ${sold} GROUP BY c.label`,
  "What are the sales of products that are a bestseller or a gift, each counted once?": `SELECT ${sales} FROM ${lines}
    JOIN main.product_labels b ON b.sku = l.sku WHERE ${sold} AND b.label IN ('bestseller', 'gift')`,
  "How many orders that count as sales contain a bestseller?": `SELECT count(*) FROM ${lines}
    JOIN main.product_labels b ON b.sku = l.sku WHERE ${sold} AND b.label = 'bestseller'`,
  "How many units are in stock, by the last count of each product?": "SELECT sum(units) FROM main.stock_counts",
  "How many units of each category were in stock at the end of June 2025?": `SELECT c.label, sum(s.units)
    FROM main.stock_counts s JOIN main.products p ON p.sku = s.sku JOIN main.categories c ON c.cat_code = p.cat_code
    WHERE s.counted_on = '2025-06-30' GROUP BY c.label`,
  "How many orders were placed in April 2025, on the clock of Tokyo?":
    "SELECT count(*) FROM main.orders WHERE placed_at >= '2025-04-01' AND placed_at < '2025-05-01'",
  "How many orders were placed on each of the first seven days of 2025, on the clock of Tokyo?": `SELECT date(placed_at), count(*)
    FROM main.orders WHERE placed_at >= '2025-01-01' AND placed_at < '2025-01-08' GROUP BY 1`,
  "How many refunds were paid in each week of the first quarter of 2025, with weeks that had none?": `SELECT
    date(refunded_on, 'weekday 0', '-6 days'), count(*) FROM main.refunds
    WHERE refunded_on BETWEEN '2025-01-01' AND '2025-03-31' GROUP BY 1`,
  "What was the average order value in 2025?": `SELECT avg(l.qty * l.unit_price) FROM ${lines} WHERE ${sold} AND ${in2025}`,
  "What are sales by the city of the bill?": `SELECT a.city, ${sales} FROM ${lines}
    JOIN main.addresses a ON a.addr_id = o.ship_addr_id WHERE ${sold} GROUP BY a.city`,
  "What were the sales of the last three months, at each month of 2025?": `WITH m AS (
      SELECT strftime('%Y-%m-01', o.placed_at) AS month, ${sales} AS sales FROM ${lines} WHERE ${sold} AND ${in2025} GROUP BY 1
    ) SELECT month, sum(sales) OVER (ORDER BY month ROWS 2 PRECEDING) FROM m`,
  "How many different customers had ordered by the end of each quarter?": `WITH q AS (
      SELECT printf('%s-%02d-01', strftime('%Y', placed_at), (strftime('%m', placed_at) + 2) / 3 * 3 - 2) AS quarter,
        count(DISTINCT buyer_no) AS buyers FROM main.orders GROUP BY 1
    ) SELECT quarter, sum(buyers) OVER (ORDER BY quarter) FROM q`,
};
