import type { SwimClass } from '@swim/sdk';
import { useState } from 'react';
import { useScopes } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { Checkbox } from '../../../design/fields/fields.tsx';
import { useReasonText } from '../../../design/lessons/reason-text.ts';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { Section, Shown } from '../../../design/page.tsx';
import { Day } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { datesOf } from '../class-dates.ts';
import { useClassActions, useOpening } from '../classes.ts';

function Dates({ dates, leftOut }: { dates: readonly string[]; leftOut: ReadonlyMap<string, string> }) {
  const { t } = useLanguage();
  const reasonText = useReasonText();
  const count = dates.filter((date) => !leftOut.has(date)).length;
  return (
    <>
      <Notice kind={leftOut.size > 0 ? 'warning' : 'success'}>
        {t(leftOut.size > 0 ? 'classes.opensWithout' : 'classes.opens', { count, without: leftOut.size })}
      </Notice>
      <ul className="plain-list class-dates" aria-label={t('classes.dates', { count })}>
        {dates.map((date) => {
          const reason = leftOut.get(date);
          return (
            <li key={date} className="stack-tight">
              <span className={reason && 'left-out'}>
                <Day date={date} hasWeekday />
              </span>
              {reason && <span className="hint">{reasonText(reason)}</span>}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Opens a draft, once it is seen which lessons that makes, and what is in the way of the others. */
export function Opening({ draft }: { draft: SwimClass }) {
  const { t } = useLanguage();
  const canWrite = useScopes()('sessions:write');
  const [outsideHours, setOutsideHours] = useState(false);
  const preview = useOpening(draft, outsideHours);
  const { open } = useClassActions(draft);
  const dates = datesOf(draft.recurrence).filter((each) => !draft.recurrence.except.includes(each));
  return (
    <Section title={t('classes.opening')} lead={t('classes.openingLead')}>
      <div className="card stack">
        <Shown query={preview}>{(leftOut) => <Dates dates={dates} leftOut={leftOut} />}</Shown>
        {canWrite && (
          <>
            <Checkbox isSelected={outsideHours} onChange={setOutsideHours}>
              {t('lessons.outsideHours')}
            </Checkbox>
            <ErrorNotice error={open.error} />
            <div>
              <Button
                kind="primary"
                isPending={open.isPending}
                isDisabled={!preview.data}
                onPress={() => open.mutate(outsideHours)}
              >
                {t('classes.open')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Section>
  );
}
