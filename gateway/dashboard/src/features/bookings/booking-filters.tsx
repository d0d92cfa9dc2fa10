import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import { useInstructorChoice, useMemberNames, useMemberSearch } from '../../api/names.ts';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { SearchChoice } from '../../design/fields/search-choice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import type { BookingFilters } from './filters.ts';

const STATUSES = ['pending', 'confirmed', 'completed', 'cancelled', 'expired'] as const;

interface FiltersProps {
  readonly filters: BookingFilters;
  readonly onChange: (filters: BookingFilters) => void;
}

function InstructorFilter({ filters, onChange }: FiltersProps) {
  const { t } = useLanguage();
  const { data: instructors = [] } = useInstructorChoice(filters.instructor);
  const options = instructors.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Choice
      label={t('bookings.instructor')}
      value={filters.instructor}
      onChange={(instructor) => onChange({ ...filters, instructor })}
      options={[{ value: '', label: t('bookings.all') }, ...options]}
    />
  );
}

function MemberFilter({ filters, onChange }: FiltersProps) {
  const { t } = useLanguage();
  const [text, setText] = useState('');
  const found = useMemberSearch(text);
  const chosen = useMemberNames(filters.member ? [filters.member] : []).get(filters.member);
  return (
    <SearchChoice
      label={t(useMe().account.kind === 'school' ? 'bookings.member' : 'open.child')}
      placeholder={t('bookings.all')}
      value={filters.member}
      chosen={chosen}
      options={found}
      onSearch={setText}
      onChange={(member) => onChange({ ...filters, member })}
    />
  );
}

/** The filters of the list; each holds as soon as it is chosen. */
export function Filters({ filters, onChange }: FiltersProps) {
  const { t } = useLanguage();
  const statuses = STATUSES.map((value) => ({ value, label: t(`bookings.status.${value}`) }));
  return (
    <search className="filters">
      <Choice
        label={t('bookings.state')}
        value={filters.status}
        onChange={(status) => onChange({ ...filters, status })}
        options={[{ value: '', label: t('bookings.all') }, ...statuses]}
      />
      <InstructorFilter filters={filters} onChange={onChange} />
      <MemberFilter filters={filters} onChange={onChange} />
      <TextField
        label={t('bookings.from')}
        type="date"
        value={filters.from}
        onChange={(from) => onChange({ ...filters, from })}
      />
      <TextField
        label={t('bookings.to')}
        type="date"
        value={filters.to}
        onChange={(to) => onChange({ ...filters, to })}
      />
    </search>
  );
}
