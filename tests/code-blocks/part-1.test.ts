import { testCodeBlocks } from "../support/code-blocks.ts";

testCodeBlocks(0, 3);
