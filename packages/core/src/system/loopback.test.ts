import { expect, test } from "vitest";
import { isLoopback } from "./loopback.ts";

test.each([
  "http://127.0.0.1:4318",
  "https://127.9.8.7/mcp",
  "http://localhost",
  "http://LOCALHOST:1/",
  "http://[::1]:80",
  "http://127.1/",
  "http://0x7f000001/",
  "http://2130706433/",
])("%s is loopback", (address) => {
  expect(isLoopback(address)).toBe(true);
});

test.each([
  "http://0.0.0.0:80",
  "http://10.0.0.1",
  "http://[::]",
  "http://example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "http://127.0.0.1@example.com",
  "http://x.localhost",
  "http://[fe80::1]",
  "localhost",
  "127.0.0.1:80",
  "",
  "http://",
])("%s is not loopback", (address) => {
  expect(isLoopback(address)).toBe(false);
});
