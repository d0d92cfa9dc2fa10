import fs from 'node:fs';
import path from 'node:path';
import { readJson } from '../system/files/json-file.ts';

const FOLDER = path.join(import.meta.dirname, 'boards');

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** Every query of the boards, with the variables of Grafana filled in. */
export const boardQueries = (): { panel: string; query: string }[] =>
  fs.readdirSync(FOLDER).flatMap((file) =>
    (readJson(path.join(FOLDER, file)) as { panels: Panel[] }).panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({
        panel: `${path.parse(file).name}: ${title}`,
        query: expr.replaceAll('$__rate_interval', '1m'),
      })),
    ),
  );
