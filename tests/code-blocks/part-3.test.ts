import { testCodeBlocks } from "../support/code-blocks.ts";

testCodeBlocks(2, 3);
