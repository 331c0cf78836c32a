import { expect, test } from "vitest";
import { withoutNetwork } from "./without-network.ts";

test.each(["HTTP_PROXY", "HTTPS_PROXY", "https_proxy", "Http_Proxy", "ALL_PROXY", "all_proxy"])(
  "a rehearsed process does not get the proxy in %s, and keeps other variables",
  (name) => {
    const environment = withoutNetwork({ PATH: "/bin", [name]: "http://proxy.example:8080", NO_PROXY: "*" });
    expect(environment.PATH).toBe("/bin");
    expect(Object.values(environment).join(" ")).not.toContain("proxy.example");
    expect(environment).toMatchObject({ HTTPS_PROXY: "http://127.0.0.1:1", no_proxy: "127.0.0.1,localhost,::1" });
  },
);
