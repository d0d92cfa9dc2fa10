import fs from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';

const FOLDER = path.join(import.meta.dirname, 'rules');

/** A recording rule or an alert. */
export interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  annotations?: Record<string, string>;
}

interface RuleGroup {
  name: string;
  rules: Rule[];
}

/** The groups of rules, which stand in the folder as Prometheus' operator takes them. */
export const ruleGroups = (): RuleGroup[] =>
  fs
    .readdirSync(FOLDER)
    .flatMap((name) => parse(fs.readFileSync(path.join(FOLDER, name), 'utf8')).spec.groups as RuleGroup[]);

// Without the operator: node deploy/monitoring/rules.ts > rules.yml
if (import.meta.main) process.stdout.write(stringify({ groups: ruleGroups() }));
