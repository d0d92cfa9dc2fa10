import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLesson, anInstructor, anOwner, lessonDay, type Owner, open } from '../../browser-fixtures.js';

const PHONE = { width: 390, height: 844 };
const [MONDAY, THURSDAY] = [1, 4] as const;

/** A day, 1 is Monday, of the week with lessons. */
function dayOfWeek(weekday: number): string {
  const day = new Date(`${lessonDay()}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + weekday - (day.getUTCDay() || 7));
  return day.toISOString().slice(0, 10);
}

/** Whether no name is cut off; runs in the page. */
const isWhole = `() => [...document.querySelectorAll('.timeline-row .timeline-name')]
  .every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)`;

describe('on a phone', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await anOwner();
    await aLesson(owner.office, await anInstructor(owner.office), 'Mia', '09:00');
    await owner.page.setViewportSize(PHONE);
  });

  it('a card of the activity has no line without a value', async () => {
    const { page } = owner;
    await open(page, 'sandbox/settings/activity');
    await page.getByText('Signed up').waitFor();
    const cells = page.locator('td:visible');
    const texts = await cells.allTextContents();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.trim() === '')).toEqual([]);
  });

  it.each(['day', 'week', 'timeline'])(
    'the names of the calendar leave three quarters of its width to the lessons of a %s',
    async (span) => {
      const { page } = owner;
      await open(page, `sandbox/calendar?span=${span}&date=${span === 'day' ? lessonDay() : dayOfWeek(MONDAY)}`);
      const name = page.locator('.timeline-row .timeline-name').first();
      await name.waitFor();
      const { width } = (await name.boundingBox())!;
      expect(width).toBeLessThanOrEqual(PHONE.width / 4);
      expect(await page.evaluate(`(${isWhole})()`)).toBe(true);
      expect((await page.locator('.timeline-day').first().boundingBox())!.x).toBeCloseTo(
        (await name.boundingBox())!.x + width,
        0,
      );
    },
  );

  it.each(['week', 'timeline'])('a %s opens at the day that is asked for, not at its Monday', async (span) => {
    const { page } = owner;
    await open(page, `sandbox/calendar?span=${span}&date=${dayOfWeek(THURSDAY)}`);
    const name = (await page.locator('.timeline-row .timeline-name').first().boundingBox())!;
    const thursday = page.locator('.timeline-day').nth(THURSDAY - 1);
    expect((await thursday.boundingBox())!.x).toBeCloseTo(name.x + name.width, 0);
  });
});
