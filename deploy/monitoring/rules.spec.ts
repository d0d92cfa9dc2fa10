import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../system/paths.mjs';
import { boardQueries, scalerQueries } from './boards.ts';
import { ruleGroups } from './rules.ts';

const RUNBOOKS = 'docs/runbooks/README.md';
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const rules = ruleGroups().flatMap((group) => group.rules);
const alerts = rules.flatMap(({ alert, annotations }) => (alert ? [{ alert, annotations }] : []));
/** Names of metrics in a query: ours, and those that rules record. */
const namesIn = (query: string) => query.match(/\bswim[_:][a-z0-9_:]+/g) ?? [];

describe('the alerts', () => {
  it('have a test by promtool and a section of the runbooks each, and no section is left over', () => {
    const names = alerts.map(({ alert }) => alert);
    const tested = parse(read('deploy/monitoring/rules.test.yml')).tests.flatMap(
      (test: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }) =>
        test.alert_rule_test.filter((each) => each.exp_alerts).map(({ alertname }) => alertname),
    );
    expect([...new Set(tested)].sort()).toEqual(names.toSorted());
    expect([...read(RUNBOOKS).matchAll(/^## (\w+)$/gm)].map(([, name]) => name).sort()).toEqual(names.toSorted());
    for (const { alert, annotations } of alerts)
      expect(annotations?.runbook).toBe(`${RUNBOOKS}#${alert.toLowerCase()}`);
  });

  it('and the boards and scalers query metrics that the product has or a rule records', () => {
    const sources = fs.globSync('{libs,services,gateway}/**/src/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules'] });
    const text = sources.map(read).join('\n');
    const known = new Set([...text.matchAll(/'(swim_\w+)'/g)].map(([, name]) => name!));
    for (const { record } of rules) if (record) known.add(record);
    const queries = [
      ...rules.map(({ expr }) => expr),
      ...[...boardQueries(), ...scalerQueries()].map(({ query }) => query),
    ];
    const unknown = queries
      .flatMap(namesIn)
      .filter((name) => !known.has(name) && !known.has(name.replace(/_(count|bucket|sum)$/, '')));
    expect(unknown).toEqual([]);
  });
});
