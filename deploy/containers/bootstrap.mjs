import { runOnProductNode } from '../local/product-node.mjs';

process.exit(await runOnProductNode('../containers/deploy-test.ts', process.argv.slice(2)));
