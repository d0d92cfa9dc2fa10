import fs from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { runCommand } from '../system/processes/run-command.mjs';
import { ruleGroups } from './rules.ts';

const TESTS = path.join(import.meta.dirname, 'rules.test.yml');

/** Has promtool check the rules, and run their tests. */
export async function checkRules(promtool: string, log: (line: string) => void): Promise<void> {
  const { folder, remove } = temporaryFolder();
  const write = (name: string, content: object) => fs.writeFileSync(path.join(folder, name), stringify(content));
  const groups = ruleGroups();
  const options = { cwd: folder, shownLines: 40 };
  try {
    write('rules.yml', { groups });
    log((await runCommand(promtool, ['check', 'rules', 'rules.yml'], options)).trim());
    // A test would have to repeat every annotation.
    const bare = groups.map((group) => ({
      ...group,
      rules: group.rules.map(({ annotations: _, ...rule }) => rule),
    }));
    write('bare.yml', { groups: bare });
    const tests = parse(fs.readFileSync(TESTS, 'utf8'));
    write('tests.yml', { rule_files: ['bare.yml'], ...tests });
    log((await runCommand(promtool, ['test', 'rules', 'tests.yml'], options)).trim());
    log(`${tests.tests.length} tests of the rules have passed`);
  } finally {
    remove();
  }
}
