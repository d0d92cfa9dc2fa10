// Only syntax that every recent Node supports: an old one must get as far as the error message.
const oldest = 20;

if (Number(process.versions.node.split('.')[0]) < oldest) {
  console.error(`Node.js ${oldest} or later is needed; this is ${process.version}.`);
  process.exit(1);
}
const { runOnProductNode } = await import('./product-node.mjs');
process.exit(await runOnProductNode('command-line.ts', process.argv.slice(2)));
