import { testCodeBlocks } from "../support/code-blocks.ts";

testCodeBlocks(1, 3);
