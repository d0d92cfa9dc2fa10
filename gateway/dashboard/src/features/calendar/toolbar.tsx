import type { CalendarDate } from '@internationalized/date';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { ROW_KINDS, type View, type ViewChanges } from './calendar-view.ts';
import { dateOf, daysOf, SPANS } from './layout/days.ts';
import { ZOOMS } from './layout/zoom.ts';

interface ToolbarProps {
  readonly view: View;
  readonly days: readonly CalendarDate[];
  readonly today: CalendarDate;
  readonly onChange: (changes: ViewChanges) => void;
}

function useTitle(days: readonly CalendarDate[]): string {
  const { tag } = useLanguage();
  const { timezone } = useMe().account;
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: timezone });
  const [first, last] = [days[0]!, days.at(-1)!].map((day) => day.toDate(timezone)) as [Date, Date];
  return days.length === 1 ? format.format(first) : format.formatRange(first, last);
}

function Steps({ view, today, onChange }: Omit<ToolbarProps, 'days'>) {
  const { t } = useLanguage();
  const by = (steps: number) => {
    const date = dateOf(view.date)!.add({ days: daysOf(view.span) * steps });
    onChange({ date: date.toString() });
  };
  return (
    <div className="row">
      <Button onPress={() => onChange({ date: today.toString() })}>{t('calendar.today')}</Button>
      <Button aria-label={t('calendar.previous')} onPress={() => by(-1)}>
        <Icon name="previous" />
      </Button>
      <Button aria-label={t('calendar.next')} onPress={() => by(1)}>
        <Icon name="next" />
      </Button>
    </div>
  );
}

interface SwitchProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

function Switch<T extends string>({ label, value, options, onChange }: SwitchProps<T>) {
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}

function ZoomButtons({ step, onChange }: { readonly step: number } & Pick<ToolbarProps, 'onChange'>) {
  const { t } = useLanguage();
  return (
    <div className="calendar-zoom">
      <Button aria-label={t('calendar.smaller')} isDisabled={step === 0} onPress={() => onChange({ zoom: step - 1 })}>
        −
      </Button>
      <Button
        aria-label={t('calendar.larger')}
        isDisabled={step === ZOOMS.length - 1}
        onPress={() => onChange({ zoom: step + 1 })}
      >
        +
      </Button>
    </div>
  );
}

/** The choices of days, rows and zoom. */
export function Toolbar({ view, days, today, onChange }: ToolbarProps) {
  const { t } = useLanguage();
  const title = useTitle(days);
  const spans = SPANS.map((value) => ({ value, label: t(`calendar.${value}`) }));
  const rows = ROW_KINDS.map((value) => ({ value, label: t(`calendar.${value}`) }));
  return (
    <div className="calendar-toolbar">
      <Steps view={view} today={today} onChange={onChange} />
      <h2 className="calendar-dates" aria-live="polite">
        {title}
      </h2>
      <div className="row calendar-options">
        <Switch label={t('calendar.span')} value={view.span} options={spans} onChange={(span) => onChange({ span })} />
        <Switch
          label={t('calendar.rows')}
          value={view.rows}
          options={rows}
          onChange={(chosen) => onChange({ rows: chosen })}
        />
        {view.zoom && <ZoomButtons step={view.zoom.step} onChange={onChange} />}
      </div>
    </div>
  );
}
