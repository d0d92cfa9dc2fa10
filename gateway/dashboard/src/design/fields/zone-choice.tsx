import { useMemo } from 'react';
import { useLanguage } from '../../texts/language.tsx';
import type { ComboBoxProps } from './combo-box.tsx';
import { SearchChoice } from './search-choice.tsx';

/** The time zones that the browser knows, and the one that is stored, which a newer one may be. */
const zonesWith = (zone: string) =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])]
    .toSorted()
    .map((id) => ({ id, name: id.replaceAll('_', ' ') }));

/** A choice of a time zone; `stored` is the one so far. */
export function ZoneChoice({
  stored,
  ...props
}: Pick<ComboBoxProps, 'value' | 'onChange' | 'error'> & { stored: string }) {
  const { t } = useLanguage();
  const options = useMemo(() => zonesWith(stored), [stored]);
  return <SearchChoice {...props} label={t('pools.zone')} options={options} />;
}
