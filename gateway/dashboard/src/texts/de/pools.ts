import type { pools as english } from '../en/pools.ts';
import type { SameTexts } from '../same-texts.ts';

export const pools: SameTexts<typeof english> = {
  'pools.title': 'Becken',
  'pools.lead': 'Wo unterrichtet wird. Mit Bahnen werden nie mehr Gruppen zugleich gebucht, als es Bahnen gibt.',
  'pools.emptyTitle': 'Noch keine Becken',
  'pools.empty':
    'Legen Sie eines an, dann können dort Stunden gebucht werden; jede Bahn bekommt eine Zeile im Kalender.',
  'pools.add': 'Becken hinzufügen',
  'pools.edit': 'Becken bearbeiten',
  'pools.editNamed': '„{name}“ bearbeiten',
  'pools.change': 'Bearbeiten',
  'pools.name': 'Becken',
  'pools.address': 'Adresse',
  'pools.lanes': 'Bahnen',
  'pools.lanesHint': 'Gruppen, die zugleich schwimmen dürfen; leer für unbegrenzt.',
  'pools.noLanes': 'Geben Sie eine Zahl von 1 bis 100 ein, oder nichts.',
  'pools.unlimited': 'Unbegrenzt',
  'pools.latitude': 'Breitengrad',
  'pools.latitudeHint': 'Grad nördlicher Breite, etwa 52,532.',
  'pools.longitude': 'Längengrad',
  'pools.longitudeHint': 'Grad östlicher Länge, etwa 13,385.',
  'pools.noDegrees': 'Geben Sie Grad von −{most} bis {most} ein.',
  'pools.zone': 'Zeitzone',
  'pools.removeNamed': '„{name}“ entfernen',
  'pools.removeText':
    'Dort kann dann nicht mehr gebucht werden; vergangene Stunden behalten das Becken. Ein Becken, in dem noch Stunden stattfinden, kann nicht entfernt werden.',
  'pools.locate': 'Meinen Standort verwenden',
  'pools.notLocated':
    'Ihr Standort wurde nicht gefunden. Erlauben Sie ihn im Browser, oder geben Sie die Koordinaten ein.',
  'pools.placeHint': 'Oder fügen Sie beide zugleich ein, wie Karten im Web sie kopieren: 52.532, 13.385.',
};
