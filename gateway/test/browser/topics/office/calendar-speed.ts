import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CDPSession } from 'playwright-core';
import { anInstructor, anOwner, aPupil, button, type Owner, open } from '../../browser-fixtures.js';

const INSTRUCTORS = 20;
const DAYS = 5;
const HOURS = ['07', '08', '09', '10', '11', '12', '13', '14'];
const LESSONS = INSTRUCTORS * DAYS * HOURS.length;

/** The goals of the dashboard, in ms of an idle machine. */
const RENDER_MS = 200;
const TASK_MS = 50;
/** How much slower the processor of a shared machine may be. Time in which other processes run does not count. */
const MARGIN = 2;
const SCROLLS = 30;

const DAY_MS = 86_400_000;
/** The Monday after the next one, at midnight UTC. */
const monday = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
monday.setUTCDate(monday.getUTCDate() + 14 - ((monday.getUTCDay() + 6) % 7));
const dayAfterMonday = (days: number): string => new Date(monday.getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Gives an instructor of the school eight lessons on each day of the week. */
async function fill({ office }: Owner, ordinal: number): Promise<void> {
  const instructor = await anInstructor(office, { name: `Coach ${ordinal}`, email: `coach-${ordinal}@example.test` });
  const pupil = await aPupil(office, `Pupil ${ordinal}`);
  const days = Array.from({ length: DAYS }, (_, day) => dayAfterMonday(day));
  const dates = days.flatMap((day) => HOURS.map((hour) => `${day}T${hour}:00:00Z`));
  await office.make('/bookings', {
    instructor_id: instructor.id,
    member_ids: [pupil.id],
    sessions: dates.map((date) => ({ date, duration_minutes: 60 })),
  });
}

/** The time that the page's main thread has computed, in ms. */
async function computedMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
}

describe('the calendar of a school with 20 instructors and 800 lessons in a week', () => {
  let owner: Owner;
  let session: CDPSession;
  beforeAll(async () => {
    owner = await anOwner();
    for (let ordinal = 1; ordinal <= INSTRUCTORS; ordinal++) await fill(owner, ordinal);
    session = await owner.page.context().newCDPSession(owner.page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  });

  it.each(['week', 'timeline'])('computes less than 200 ms to show the %s, names included', async (span) => {
    const { page } = owner;
    await open(page, `sandbox/calendar?span=${span}&date=${dayAfterMonday(-7)}`);
    await page.getByText('Coach 20').waitFor();
    const before = await computedMs(session);
    await button(page, 'Later').click();
    await page
      .locator('[data-lesson]')
      .nth(LESSONS - 1)
      .waitFor({ state: 'attached' });
    await page.locator('[data-lesson][title$="Pupil 20"]').first().waitFor();
    const spent = (await computedMs(session)) - before;
    process.stderr.write(`A week of ${LESSONS} lessons as a ${span}: ${spent.toFixed(0)} ms of computing\n`);
    expect(spent).toBeLessThan(RENDER_MS * MARGIN);
  });

  it.each(['week', 'timeline'])('scrolls the %s in tasks that compute less than 50 ms', async (span) => {
    const { page } = owner;
    await open(page, `sandbox/calendar?span=${span}&date=${dayAfterMonday(0)}`);
    await page.locator('[data-lesson][title$="Pupil 20"]').first().waitFor();
    await page.locator('.timeline').hover();
    const steps: number[] = [];
    for (let step = 0; step < SCROLLS; step++) {
      const before = await computedMs(session);
      await page.mouse.wheel(step % 2 ? 0 : 120, step % 2 ? 80 : 0);
      await page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))');
      steps.push((await computedMs(session)) - before);
    }
    process.stderr.write(
      `${SCROLLS} scrolls of the ${span}: at most ${Math.max(...steps).toFixed(1)} ms of computing each\n`,
    );
    expect(Math.max(...steps)).toBeLessThan(TASK_MS * MARGIN);
  });
});
