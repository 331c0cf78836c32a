import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { mayReadOn, readAgain } from "./next-page.ts";

test("a next page that fails is read once, and again when a person wants it", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  const read: number[] = [];
  let isBroken = true;
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ["pages"],
    queryFn: async ({ pageParam }) => {
      read.push(pageParam);
      if (pageParam === 2 && isBroken) throw new Error("gone");
      return pageParam;
    },
    initialPageParam: 1,
    getNextPageParam: (last) => (last < 3 ? last + 1 : undefined),
  });
  const readOn = (result: ReturnType<typeof observer.getCurrentResult>) => {
    if (mayReadOn(result) && read.length < 10) void result.fetchNextPage(); // the loop ends even if there is a fault
  };
  onTestFinished(observer.subscribe(readOn));
  await vi.waitFor(() => expect(observer.getCurrentResult().isFetchNextPageError).toBe(true));
  await new Promise((resolve) => setTimeout(resolve, 20)); // the failed page would be read again at once
  expect(read).toEqual([1, 2]);
  isBroken = false;
  readAgain(observer.getCurrentResult());
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toEqual([1, 2, 3]));
  expect(read).toEqual([1, 2, 2, 3]);
});
