/** What was done, what is wanted, and what was seen. */
interface Row {
  act: string;
  wanted: string;
  seen: string;
  passed: boolean;
}

/** What a check has seen, and whether that is what is wanted. */
export interface Seen {
  seen: string;
  passed: boolean;
}

/** Collects the rows of a table and prints each as it comes. */
export class Report {
  readonly #rows: Row[] = [];

  /** Runs a check; one that throws has failed, and the next ones are run all the same. */
  async row(act: string, wanted: string, check: () => Promise<Seen>): Promise<boolean> {
    const startedAt = performance.now();
    const { seen, passed } = await check().catch((error: Error) => ({ seen: error.message, passed: false }));
    const [line = '', ...rest] = seen.split('\n');
    console.log(`| ${act} | ${wanted} | ${passed ? '' : '**failed** '}${line} | ${elapsed(startedAt)} s |`);
    if (!passed && rest.length > 0) console.log(rest.join('\n'));
    this.#rows.push({ act, wanted, seen, passed });
    return passed;
  }

  /** Says what cannot be checked here, and why; it counts as neither passed nor failed. */
  skip(act: string, why: string) {
    console.log(`| ${act} | | not checked here: ${why} | |`);
  }

  begin(title: string) {
    console.log(`\n${title}\n\n| act | wanted | seen | time |\n|---|---|---|--:|`);
  }

  /** Prints the counts. */
  end(): boolean {
    const failed = this.#rows.filter(({ passed }) => !passed).length;
    console.log(`\n${this.#rows.length - failed} passed, ${failed} failed`);
    return failed === 0;
  }
}

const elapsed = (startedAt: number) => ((performance.now() - startedAt) / 1000).toFixed(1);
