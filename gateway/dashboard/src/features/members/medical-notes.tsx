import type { Member } from '@swim/sdk';
import { useScopes } from '../../api/me.ts';
import { Section } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';

/** The medical notes of a member, for those whose role includes them; the others learn why they see none. */
export function MedicalNotes({ member }: { member: Member }) {
  const { t } = useLanguage();
  if (!useScopes()('members:medical')) {
    return (
      <Section title={t('members.medical')}>
        <p className="card hint">{t('members.medicalHidden')}</p>
      </Section>
    );
  }
  return (
    <Section title={t('members.medical')} lead={t('members.medicalLogged')}>
      {member.medical_notes ? (
        <details className="card medical">
          <summary>{t('members.medicalShow')}</summary>
          <p>{member.medical_notes}</p>
        </details>
      ) : (
        <p className="card hint">{t('members.medicalNone')}</p>
      )}
    </Section>
  );
}
