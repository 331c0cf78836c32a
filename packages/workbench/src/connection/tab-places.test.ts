import { expect, test } from "vitest";
import { TabPlaces } from "./tab-places.ts";

test("a session is followed from where the tab that is furthest behind is", () => {
  const places = new TabPlaces<string>();
  places.set("one", { s: 12, t: 3 });
  places.set("two", { s: 7 });
  expect(Object.fromEntries(places.places())).toEqual({ s: 7, t: 3 });
  places.reach("s", 8, 13);
  expect(Object.fromEntries(places.places())).toEqual({ s: 13, t: 3 });
  places.delete("two");
  places.drop(["t"]);
  expect(Object.fromEntries(places.places())).toEqual({ s: 13 });
});

test("a tab that joins behind what others are being sent stays where it is", () => {
  const places = new TabPlaces<string>();
  places.set("one", { s: 20 });
  places.set("two", { s: 10 });
  places.reach("s", 21, 22);
  expect(Object.fromEntries(places.places())).toEqual({ s: 10 });
});
