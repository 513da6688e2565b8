// Legal forms of many countries, before and after a name.
import { describe, expect, it } from 'vitest';
import { normaliseName } from '../../../shared/matching/normalise.ts';

/** Format of a line: the country, then names whose core is `Vela Nordo`. */
const TABLE = `
US Vela Nordo Inc.|Vela Nordo, L.L.C.|Vela Nordo Corp|Vela Nordo P.C.|Vela Nordo PLLC|Vela Nordo LP
CN Vela Nordo Co., Ltd.|Vela Nordo有限公司|Vela Nordo股份有限公司|Vela Nordo有限责任公司
JP Vela Nordo K.K.|株式会社Vela Nordo|Vela Nordo (株)|（有）Vela Nordo|Vela Nordo合同会社|一般社団法人Vela Nordo
DE Vela Nordo GmbH & Co. KG|Vela Nordo G.m.b.H.|Vela Nordo e. V.|Vela Nordo e.K. Inh. Max Muster|Vela Nordo UG (haftungsbeschränkt)|Vela Nordo Aktiengesellschaft
IN Vela Nordo Pvt. Ltd.|Vela Nordo (P) Ltd|Vela Nordo Private Limited|Vela Nordo LLP|Vela Nordo प्राइवेट लिमिटेड
GB Vela Nordo plc|Vela Nordo P.L.C.|Vela Nordo Limited|Vela Nordo C.I.C.
FR Vela Nordo & Cie|Vela Nordo S.C.E.A.|SARL Vela Nordo|Vela Nordo S.A.S.|Vela Nordo S.à r.l.|EURL Vela Nordo|Vela Nordo Société anonyme
IT Vela Nordo S.n.c. di Mario Rossi & C.|Vela Nordo di Rossi Mario & C. s.a.s.|Vela Nordo & C. S.a.s.|Vela Nordo S.p.A.|Vela Nordo SPA|Vela Nordo s. r. l.|Vela Nordo Srls|Vela Nordo Soc. Coop.
BR Vela Nordo S/A|Vela Nordo Ltda.|Vela Nordo EIRELI|Vela Nordo Ltda - ME|Cia. Vela Nordo
CA Vela Nordo Ltée|Vela Nordo Inc.|Vela Nordo ULC
RU ООО «Vela Nordo»|Vela Nordo, ПАО|АО Vela Nordo|OOO Vela Nordo|PJSC Vela Nordo|Vela Nordo JSC|Общество с ограниченной ответственностью "Vela Nordo"
KR 주식회사 Vela Nordo|(주)Vela Nordo|Vela Nordo㈜|Vela Nordo Co., Ltd|유한회사 Vela Nordo
AU Vela Nordo Pty Ltd|Vela Nordo (Pty) Ltd|Vela Nordo Pty. Limited
MX Vela Nordo S.A. de C.V.|Vela Nordo, S. de R.L. de C.V.|Vela Nordo S. A. P. I. de C. V.|Vela Nordo SAB de CV
ES Vela Nordo S.L.|Vela Nordo S. L. U.|Vela Nordo, Sociedad Limitada|Vela Nordo S.A.U.
ID PT Vela Nordo|PT. Vela Nordo Tbk|CV Vela Nordo|PT Vela Nordo (Persero) Tbk.
NL Vela Nordo B.V.|Vela Nordo N.V.|B.V. Vela Nordo|Vela Nordo V.O.F.|Stichting Vela Nordo
TR Vela Nordo A.Ş.|Vela Nordo Ltd. Şti.|Vela Nordo San. ve Tic. A.Ş.|Vela Nordo Anonim Şirketi
SA شركة Vela Nordo|Vela Nordo ذ.م.م|Vela Nordo W.L.L.|Vela Nordo LLC
CH Vela Nordo AG|Vela Nordo Sàrl|Vela Nordo Sagl|Vela Nordo SA
PL Vela Nordo Sp. z o.o.|Vela Nordo sp. z o. o. sp. k.|Vela Nordo spółka akcyjna|PHU Vela Nordo
TW Vela Nordo股份有限公司|Vela Nordo Co., Ltd.
BE Vela Nordo BVBA|Vela Nordo SPRL|Vela Nordo NV|Vela Nordo ASBL|Vela Nordo VZW
SE AB Vela Nordo|Vela Nordo AB|Vela Nordo AB (publ)|Vela Nordo HB|Vela Nordo Aktiebolag
IE Vela Nordo DAC|Vela Nordo Teoranta|Vela Nordo CLG
AR Vela Nordo S.R.L.|Vela Nordo S.A.C.I.|Vela Nordo S.A.
NO Vela Nordo AS|Vela Nordo A/S|Vela Nordo ASA|Vela Nordo ANS
AT Vela Nordo Ges.m.b.H.|Vela Nordo OG|Vela Nordo e.U.|Vela Nordo KG
IL Vela Nordo בע"מ|Vela Nordo בע״מ|Vela Nordo Ltd.
TH บริษัท Vela Nordo จำกัด|Vela Nordo PCL|Vela Nordo Co., Ltd.|บริษัท Vela Nordo จำกัด (มหาชน)|หจก. Vela Nordo
AE Vela Nordo FZE|Vela Nordo FZ-LLC|Vela Nordo DMCC|Vela Nordo L.L.C.|Vela Nordo FZCO
SG Vela Nordo Pte Ltd|Vela Nordo Pte. Ltd.|Vela Nordo Private Limited
BD Vela Nordo Ltd.|Vela Nordo লিমিটেড
PH Vela Nordo, Inc.|Vela Nordo Corporation|Vela Nordo OPC
VN Cty TNHH MTV Vela Nordo|Công ty TNHH Vela Nordo|Công ty Cổ phần Vela Nordo|CTCP Vela Nordo|Công ty TNHH MTV Vela Nordo|Cong ty TNHH Vela Nordo|Vela Nordo JSC
DK Vela Nordo A/S|Vela Nordo ApS|Vela Nordo I/S|Vela Nordo K/S|Aktieselskabet Vela Nordo
MY Vela Nordo Sdn Bhd|Vela Nordo Sdn. Bhd.|Vela Nordo Berhad|Vela Nordo PLT
HK Vela Nordo Limited|Vela Nordo有限公司
CO Vela Nordo S.A.S.|Vela Nordo Ltda|Vela Nordo S. A.
ZA Vela Nordo (Pty) Ltd|Vela Nordo CC|Vela Nordo NPC
RO S.C. Vela Nordo S.R.L.|SC Vela Nordo SA|Vela Nordo SRL
EG Vela Nordo S.A.E.|شركة Vela Nordo ش.م.م
CL Vela Nordo SpA|Vela Nordo Limitada|Vela Nordo EIRL
IR شرکت Vela Nordo|Vela Nordo با مسئولیت محدود
CZ Vela Nordo s.r.o.|Vela Nordo, spol. s r. o.|Vela Nordo a.s.|Vela Nordo v. o. s.
PK Vela Nordo (Pvt) Ltd|Vela Nordo Private Limited|Vela Nordo (Private) Limited
FI Vela Nordo Oy|Oy Vela Nordo Ab|Vela Nordo Oyj|Vela Nordo Ky|Tmi Vela Nordo
PT Vela Nordo, Lda.|Vela Nordo Unip. Lda|Vela Nordo Unipessoal Lda|Vela Nordo SGPS, S.A.
NZ Vela Nordo Limited|Vela Nordo Ltd
PE Vela Nordo S.A.C.|Vela Nordo E.I.R.L.|Vela Nordo SAA
KZ ТОО «Vela Nordo»|АО Vela Nordo|TOO Vela Nordo|Vela Nordo LLP
GR Vela Nordo A.E.|Vela Nordo Α.Ε.|Vela Nordo Ε.Π.Ε.|Vela Nordo ΙΚΕ|Vela Nordo EPE
IQ شركة Vela Nordo|Vela Nordo LLC
DZ SARL Vela Nordo|Vela Nordo SPA|EURL Vela Nordo
QA Vela Nordo W.L.L.|Vela Nordo Q.P.S.C.
HU Vela Nordo Kft.|Vela Nordo Zrt.|Vela Nordo Nyrt|Vela Nordo Bt.|Vela Nordo Korlátolt Felelősségű Társaság
UA ТОВ «Vela Nordo»|ПрАТ Vela Nordo|TOV Vela Nordo|LLC Vela Nordo|ФОП Vela Nordo
NG Vela Nordo Ltd|Vela Nordo PLC
KW Vela Nordo K.S.C.|شركة Vela Nordo
MA Vela Nordo SARL AU|Vela Nordo S.A.R.L.
SK Vela Nordo s.r.o.|Vela Nordo, a. s.|Vela Nordo spoločnosť s ručením obmedzeným
EC Vela Nordo C.A.|Vela Nordo Cía. Ltda.
KE Vela Nordo Limited
BG ЕООД Vela Nordo|Vela Nordo ЕООД|Vela Nordo ООД|Vela Nordo АД|Vela Nordo EOOD
HR Vela Nordo d.o.o.|Vela Nordo d. o. o.|Vela Nordo j.d.o.o.|Vela Nordo d.d.
RS Vela Nordo доо|Vela Nordo a.d.|Vela Nordo DOO
SI Vela Nordo d.o.o.|Vela Nordo, s.p.
LT UAB Vela Nordo|UAB „Vela Nordo“|Vela Nordo, UAB|MB Vela Nordo|AB Vela Nordo
LV SIA Vela Nordo|SIA "Vela Nordo"|Vela Nordo SIA|AS Vela Nordo
EE OÜ Vela Nordo|Vela Nordo OÜ|AS Vela Nordo|Vela Nordo AS
LU Vela Nordo S.à r.l.|Vela Nordo SCSp|Vela Nordo SICAV
IS Vela Nordo ehf.|Vela Nordo hf.
BY ЧУП Vela Nordo|ОАО «Vela Nordo»
GE შპს Vela Nordo
AM Vela Nordo ՍՊԸ
AL Vela Nordo Sh.p.k.
ET Vela Nordo Share Company
`;

const cases = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const country = line.slice(0, 2);
    return line
      .slice(3)
      .split('|')
      .map((name) => ({ name, country }));
  });

const normalise = (name: string, ...countries: string[]) => {
  const { words, forms } = normaliseName(name, new Set(countries));
  return [words.map(({ text }) => text).join(' '), forms.join(' ')];
};

describe('a legal form', () => {
  it.each(cases)('of $country is no part of $name', ({ name, country }) => {
    expect(normalise(name, country)[0]).toBe('vela nordo');
  });

  it('is known for the 60 largest economies', () => {
    expect(new Set(cases.map(({ country }) => country)).size).toBeGreaterThanOrEqual(60);
  });

  it.each([
    ['AB InBev', 'BE', 'ab inbev'],
    ['AB InBev', undefined, 'ab inbev'],
    ['S. C. Johnson', 'US', 'sc johnson'],
    ['SIA Partners', 'FR', 'sia partners'],
    ['AS Monza', 'IT', 'as monza'],
    ['PT Barnum', 'US', 'pt barnum'],
    ['SA Recycling', 'US', 'sa recycling'],
    ['SAS Institute', 'US', 'sas institute'],
  ])('stays before %s in %s', (name, country, words) => {
    expect(normalise(name, ...(country === undefined ? [] : [country]))[0]).toBe(words);
  });

  it.each([
    ['Serenity Spa', 'US', 'serenity spa'],
    ['Serenity S.p.A.', 'US', 'serenity'],
    ['Whois', undefined, 'whois'],
    ['Who Is', undefined, 'who is'],
    ['Remember Me', 'US', 'remember me'],
    ['Limited', undefined, 'limited'],
    ['株式会社', 'JP', '株式会社'],
  ])('that is a word stays in %s in %s', (name, country, words) => {
    expect(normalise(name, ...(country === undefined ? [] : [country]))[0]).toBe(words);
  });

  it.each([
    ['ACME Foods, Inc.', 'inc'],
    ['Müller GmbH u. Co. KG', 'gmbh co kg'],
    ['Acme Incorporated', 'inc'],
    ['Brown & Co', 'co'],
    ['Acme', ''],
  ])('of %s is %j', (name, forms) => {
    expect(normalise(name)[1]).toBe(forms);
  });
});
