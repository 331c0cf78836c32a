/**
 * Reports that Node.js is too old, because the user would otherwise see an error about a missing feature. Every package except the protocol
 * imports this module first. Do not import by name what old versions of Node.js lack, because such an import fails before any module runs.
 */
const oldest = [22, 18] as const;

const { node } = process.versions;
const [major = 0, minor = 0] = node.split(".").map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  throw new Error(
    `Bridle needs Node.js ${oldest.join(".")} or newer, and this is ${node}. Install a newer one from https://nodejs.org.`,
  );
}

export {};
