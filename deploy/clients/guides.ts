import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../system/paths.mjs';
import type { Workshop } from './workshop.ts';

/** The first block of code in a language on a page of Markdown. */
function blockIn(page: string, language: string): string {
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(page);
  if (!block) throw new Error(`The guide has no block of ${language}.`);
  return block[1]!;
}

/** Follows the guide of Python as it is printed, and runs its program twice. Throws where it prints something else than the guide shows. */
export async function followPythonGuide({ run, folder }: Workshop): Promise<string> {
  const page = fs.readFileSync(path.join(ROOT, 'docs/guides/python.md'), 'utf8');
  const bash = (script: string) =>
    run('bash', ['-euo', 'pipefail', '-c', `export PATH="$PWD/environment/bin:$PATH"\n${script}`]);
  await run('python3', ['-m', 'venv', 'environment']);
  await bash(blockIn(page, 'bash'));
  fs.writeFileSync(path.join(folder, 'example.py'), blockIn(page, 'py'));
  const shown = blockIn(page, 'text').trim();
  for (const time of ['first', 'second']) {
    const printed = (await bash('python example.py')).trim();
    if (printed !== shown) throw new Error(`The program printed the ${time} time:\n${printed}`);
  }
  return 'as printed, its program twice';
}
