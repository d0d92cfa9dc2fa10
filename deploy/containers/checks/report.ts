import fs from 'node:fs';

/** What several checks count, to be added up. */
export interface Counts {
  requests: number;
  failedRequests: number;
  /** Differences that the audit has found. */
  differences: number;
  /** Gaps in the sequence of the events. */
  gaps: number;
  lostEvents: number;
}

/** What a check has seen, and whether that is what is wanted. */
export interface Seen {
  seen: string;
  passed: boolean;
  counts?: Partial<Counts>;
  /** After how many seconds a change was in use. */
  inUseAfter?: number;
}

/** What was done in a part, what is wanted, and what was seen. */
export interface Row extends Seen {
  part: string;
  act: string;
  wanted: string;
  seconds: number;
}

/** Collects the rows of a table and prints each as it comes. */
export class Report {
  readonly rows: Row[] = [];
  /** The part whose rows come next. */
  part = '';

  /** Runs a check; one that throws has failed, and the next ones are run all the same. */
  async row(act: string, wanted: string, check: () => Promise<Seen>): Promise<boolean> {
    const startedAt = performance.now();
    const result = await check().catch((error: Error): Seen => ({ seen: error.message, passed: false }));
    const { seen, passed } = result;
    const seconds = (performance.now() - startedAt) / 1000;
    const [line = '', ...rest] = seen.split('\n');
    console.log(`| ${act} | ${wanted} | ${passed ? '' : '**failed** '}${line} | ${seconds.toFixed(1)} s |`);
    if (!passed && rest.length > 0) console.log(rest.join('\n'));
    this.rows.push({ part: this.part, act, wanted, seconds, ...result });
    return passed;
  }

  begin(title: string) {
    console.log(`\n${title}\n\n| act | wanted | seen | time |\n|---|---|---|--:|`);
  }

  /** Prints the counts, and leaves the rows in REPORT_FILE for a program that has started this one. */
  end(): boolean {
    if (process.env.REPORT_FILE) fs.writeFileSync(process.env.REPORT_FILE, JSON.stringify(this.rows));
    const failed = this.rows.filter(({ passed }) => !passed).length;
    console.log(`\n${this.rows.length - failed} passed, ${failed} failed`);
    return failed === 0;
  }
}
