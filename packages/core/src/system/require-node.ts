/**
 * Says that Node.js is too old, in place of the error about a missing part that would follow. Every package but the protocol
 * imports this one first. A part of Node.js that an old one lacks must not be imported by name, because such an import fails
 * before any module runs.
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
