/** Units by name, so that `30 min` and `30 minutes` are equal. */
export const unitNames: ReadonlyMap<string, string> = new Map(
  [
    "second seconds sec secs s sekunde sekunden segundo segundos seconde secondes",
    "minute minutes min mins minut minuten minuto minutos minuti",
    "hour hours hr hrs h stunde stunden hora horas heure heures",
    "day days d tag tage tagen dia dias día días jour jours giorni",
    "week weeks wk woche wochen semana semanas semaine semaines",
    "month months monat monate monaten mes meses mois mesi",
    "year years yr yrs jahr jahre jahren ano anos año años an ans",
    "percent percentage % prozent",
    "euro euros eur €",
    "dollar dollars usd $",
    "pound pounds gbp £",
    "cent cents ct",
    "metre metres meter meters m",
    "kilometre kilometres kilometer kilometers km",
    "times × x",
  ].flatMap((line) => {
    const names = line.split(" ");
    return names.map((name): [string, string] => [name, names[0] ?? name]);
  }),
);
