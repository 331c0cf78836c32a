/** Generates random SELECTs over the tables a, b and c. Their common table expressions and aliases often have the name of a table. */
export class RandomStatements {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a statement of the grammar. */
  next(): string {
    return this.#query(this.#below(3));
  }

  /** Returns a statement with a few tokens exchanged, removed, repeated or added. */
  nextDamaged(): string {
    const tokens = this.next().split(" ");
    for (let change = 0; change <= this.#below(2); change++) {
      const place = this.#below(tokens.length);
      const token = this.#oneOf([...stray, tokens[this.#below(tokens.length)] ?? ""]);
      tokens.splice(place, this.#below(2), ...(this.#below(4) === 0 ? [] : [token]));
    }
    return tokens.join(" ");
  }

  #query(depth: number): string {
    const operator = () => this.#oneOf(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]);
    const cores = [this.#select(depth), ...this.#upTo(1, () => `${operator()} ${this.#select(depth)}`)];
    const order = this.#upTo(1, () => `ORDER BY ${this.#oneOf(["1", `( ${this.#scalar(depth - 1)} )`])}`);
    const limit = this.#upTo(1, () => `LIMIT ${this.#oneOf(["3", `( ${this.#scalar(depth - 1)} )`])}`);
    return [...this.#with(depth), ...cores, ...(cores.length > 1 ? [] : order), ...limit].join(" ");
  }

  #with(depth: number): readonly string[] {
    if (depth <= 0 || this.#below(3) > 0) return [];
    const names = [this.#name(), ...this.#upTo(2, () => this.#name())];
    const definition = (name: string) =>
      `${name} ${this.#oneOf(["", "( x , y )"])} AS ${this.#oneOf(["", "MATERIALIZED", "NOT MATERIALIZED"])} ( ${this.#query(depth - 1)} )`;
    return [`WITH ${this.#oneOf(["", "RECURSIVE"])}`, names.map(definition).join(" , ")];
  }

  #select(depth: number): string {
    if (this.#below(12) === 0) return "VALUES ( 1 , 2 )";
    const where = this.#upTo(1, () => `WHERE ${this.#condition(depth - 1)}`);
    return ["SELECT", this.#oneOf(["", "DISTINCT"]), this.#list(depth), "FROM", this.#from(depth), ...where].join(" ");
  }

  #list(depth: number): string {
    return this.#oneOf([
      "*",
      "1 , 2",
      "1 , 2",
      "1 AS x , 2 AS y",
      `( ${this.#scalar(depth - 1)} ) AS x , 2 AS y`,
      `${this.#condition(depth - 1)} AS x , 1 AS y`,
    ]);
  }

  #from(depth: number): string {
    const joins = this.#upTo(2, () => {
      const item = this.#item(depth - 1);
      return this.#oneOf([
        `, ${item}`,
        `JOIN ${item} ON ${this.#condition(depth - 1)}`,
        `NATURAL LEFT JOIN ${item}`,
        `CROSS JOIN ${item}`,
      ]);
    });
    return [this.#item(depth), ...joins].join(" ");
  }

  #item(depth: number): string {
    const alias = this.#oneOf(["", "", this.#name(), `AS ${this.#name()}`, `AS "${this.#plainName()}"`]);
    const table = this.#oneOf([this.#name(), this.#name(), this.#name(), `main . ${this.#name()}`]);
    if (depth <= 0) return `${table} ${alias}`;
    const nested = this.#oneOf([
      `( ${this.#query(depth - 1)} )`,
      `( ${this.#from(depth - 1)} )`,
      "json_each ( '[1]' )",
    ]);
    return `${this.#oneOf([table, table, nested])} ${alias}`;
  }

  #condition(depth: number): string {
    const simple = [
      "1",
      "2 IS NOT DISTINCT FROM 2",
      `1 IN ${this.#name()}`,
      `1 NOT IN main . ${this.#name()}`,
      "x = 1",
    ];
    if (depth <= 0) return this.#oneOf(simple);
    const query = this.#query(depth - 1);
    return this.#oneOf([
      ...simple,
      `EXISTS ( ${query} )`,
      `1 IN ( ${this.#scalar(depth - 1)} )`,
      `( 1 , 2 ) IN ( ${query} )`,
      `CASE WHEN EXISTS ( ${query} ) THEN 1 ELSE ( ${this.#scalar(depth - 1)} ) END`,
      `coalesce ( ( ${this.#scalar(depth - 1)} ) , 1 )`,
    ]);
  }

  /** Returns a query of one column. */
  #scalar(depth: number): string {
    return `${this.#with(depth).join(" ")} SELECT ${this.#oneOf(["1", "count ( * )", "max ( 1 )"])} FROM ${this.#from(depth)}`;
  }

  /** Returns a name as a statement may write it. */
  #name(): string {
    const name = this.#plainName();
    return this.#oneOf([name, name, name.toUpperCase(), `"${name}"`, `[${name}]`, `\`${name}\``]);
  }

  #plainName(): string {
    return this.#oneOf(["a", "b", "c", "d"]);
  }

  #upTo<Item>(max: number, make: () => Item): Item[] {
    return Array.from({ length: this.#below(max + 1) }, make);
  }

  #oneOf<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error("There is nothing to choose from.");
    return item;
  }

  /** Returns a number from 0 to `limit` - 1, by mulberry32. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}

const stray = [
  ..."a b c d main . , ( ) ; * 1 x AS IN FROM JOIN ON USING LEFT NATURAL WITH SELECT VALUES WHERE NOT IS DISTINCT".split(
    " ",
  ),
  ..."UNION ALL ORDER BY LIMIT OFFSET WINDOW OVER FILTER INDEXED EXISTS MATERIALIZED RECURSIVE GROUP HAVING -> ->> ||".split(
    " ",
  ),
  "-- x",
  "-- x\n",
  "/* a */",
  "/*",
  "'a'",
  '"a"',
  "[b]",
  "`c`",
  "x'00'",
  "1.",
  ".5",
  "1.e",
  "e",
  "\n",
  "{",
  "'",
  '"',
];
