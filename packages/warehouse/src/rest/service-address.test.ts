import { expect, test } from "vitest";
import { parseServiceAddress } from "./service-address.ts";

test.each([
  "https://api.example.org",
  "https://api.example.org:8443/path",
  "http://127.0.0.1:9050",
  "http://localhost:9050",
  "http://[::1]:9050",
])("a service may be at %s", (address) => {
  expect(parseServiceAddress(address, "endpoint").href).toBe(new URL(address).href);
});

test.each([
  "http://api.example.org",
  "http://127.0.0.1.example.org",
  "http://localhost.example.org",
  "http://10.0.0.1",
  "ftp://127.0.0.1",
  "api.example.org",
  "",
])("a service may not be at %j, where a connection would be unencrypted", (address) => {
  expect(() => parseServiceAddress(address, "endpoint")).toThrow(
    `endpoint is ${address}, which does not begin with https://. Correct it.`,
  );
});

test("the address of a service contains no password, and its error does not quote one", () => {
  expect(() => parseServiceAddress("https://reader:s3cret@api.example.org", "endpoint")).toThrow(
    /^endpoint contains a user or a password\. Remove the part before the @\.$/,
  );
});
