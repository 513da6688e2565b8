// Cities that people add to company names, and their names in other languages.

/** Format of a line: the country (ISO 3166-1), then cities separated by `;`, each with its other names after `=`. */
export const CITIES = `
US New York=New York City=NYC; Los Angeles; Chicago; Houston; Phoenix; Philadelphia; San Antonio; San Diego; Dallas; San Jose; Austin; San Francisco=SF Bay Area=Bay Area; Seattle; Denver; Washington DC=Washington D.C.; Boston; Nashville; Detroit; Portland; Las Vegas; Atlanta; Miami; Minneapolis; Tampa; Orlando; Cleveland; Pittsburgh; Cincinnati; St. Louis=Saint Louis; Salt Lake City; Charlotte; Raleigh; Baltimore; Milwaukee; Kansas City; Sacramento; Palo Alto; Silicon Valley; Brooklyn; Honolulu
CA Toronto; Montréal; Vancouver; Calgary; Ottawa; Edmonton; Québec; Winnipeg; Waterloo
GB London=Londres=Londra; Manchester; Birmingham; Leeds; Glasgow; Edinburgh; Bristol; Liverpool; Sheffield; Cambridge; Oxford; Belfast; Cardiff; Nottingham; Newcastle; Brighton
IE Dublin; Cork; Galway; Limerick
AU Sydney; Melbourne; Brisbane; Perth; Adelaide; Canberra
NZ Auckland; Wellington; Christchurch
IN Mumbai=Bombay; Delhi=New Delhi; Bangalore=Bengaluru; Hyderabad; Chennai=Madras; Pune; Kolkata=Calcutta; Ahmedabad; Gurgaon=Gurugram; Noida; Jaipur; Kochi=Cochin
PK Karachi; Lahore; Islamabad
BD Dhaka
LK Colombo
DE Berlin; Hamburg; München=Munich=Monaco di Baviera; Köln=Cologne; Frankfurt=Frankfurt am Main; Stuttgart; Düsseldorf; Leipzig; Dortmund; Bremen; Dresden; Hannover=Hanover; Nürnberg=Nuremberg; Bonn; Mannheim; Karlsruhe; Heidelberg; Münster; Augsburg; Aachen; Braunschweig=Brunswick
AT Wien=Vienna=Vienne=Bécs; Graz; Linz; Salzburg; Innsbruck
CH Zürich=Zurich=Zurigo; Genève=Geneva=Genf=Ginevra; Basel=Basle=Bâle; Bern=Berne; Lausanne; Luzern=Lucerne; Zug; Lugano; Winterthur; St. Gallen
FR Paris=Parigi; Lyon=Lyons; Marseille=Marseilles; Toulouse; Nantes; Strasbourg; Bordeaux; Lille; Rennes; Montpellier; Grenoble
BE Bruxelles=Brussels=Brussel=Brüssel; Antwerpen=Antwerp=Anvers; Gent=Ghent=Gand; Liège=Luik; Leuven=Louvain
NL Amsterdam; Rotterdam; Den Haag=The Hague='s-Gravenhage; Utrecht; Eindhoven; Groningen
IT Milano=Milan=Mailand; Roma=Rome=Rom; Torino=Turin; Napoli=Naples; Firenze=Florence=Florenz; Bologna; Venezia=Venice=Venedig; Genova=Genoa=Genua; Verona; Padova=Padua
ES Madrid; Barcelona; Valencia; Sevilla=Seville; Bilbao; Málaga; Zaragoza
PT Lisboa=Lisbon=Lissabon; Porto=Oporto; Braga
DK København=Copenhagen=Kopenhagen; Aarhus=Århus; Odense; Aalborg
SE Stockholm; Göteborg=Gothenburg; Malmö; Uppsala; Linköping
NO Oslo; Bergen; Trondheim; Stavanger
FI Helsinki=Helsingfors; Espoo; Tampere; Turku; Oulu
IS Reykjavík
EE Tallinn
LV Riga=Rīga
LT Vilnius; Kaunas
PL Warszawa=Warsaw=Warschau; Kraków=Cracow=Krakau; Wrocław=Breslau; Poznań; Gdańsk=Danzig; Łódź; Katowice; Szczecin
CZ Praha=Prague=Prag; Brno; Ostrava; Plzeň=Pilsen
SK Bratislava; Košice
HU Budapest; Debrecen
RO București=Bucharest=Bukarest; Cluj-Napoca=Cluj; Timișoara; Iași
BG Sofia=София; Plovdiv; Varna
GR Athens=Αθήνα=Athen=Athina; Thessaloniki=Θεσσαλονίκη
HR Zagreb
RS Beograd=Belgrade=Београд=Belgrad; Novi Sad
SI Ljubljana
BA Sarajevo
RU Moscow=Москва=Moskva=Moskau; Saint Petersburg=Санкт-Петербург=St. Petersburg=Sankt-Peterburg; Новосибирск=Novosibirsk; Екатеринбург=Yekaterinburg; Казань=Kazan
UA Kyiv=Київ=Kiev=Киев; Lviv=Львів; Odesa=Odessa; Kharkiv=Харків; Dnipro
BY Minsk=Минск
KZ Almaty=Алматы; Astana
TR Istanbul=İstanbul; Ankara; İzmir; Bursa
IL Tel Aviv=תל אביב; Haifa; Jerusalem=ירושלים
AE Dubai=دبي; Abu Dhabi=أبوظبي; Sharjah
SA Riyadh=الرياض; Jeddah=جدة; Dammam
QA Doha
EG Cairo=القاهرة; Alexandria
MA Casablanca; Rabat
NG Lagos; Abuja
KE Nairobi
GH Accra
ZA Johannesburg; Cape Town; Durban; Pretoria
BR São Paulo; Rio de Janeiro; Belo Horizonte; Curitiba; Porto Alegre; Brasília; Recife; Salvador; Fortaleza; Campinas
AR Buenos Aires; Córdoba; Rosario
CL Santiago de Chile=Santiago
CO Bogotá; Medellín; Cali
PE Lima
MX Mexico City=Ciudad de México=CDMX; Guadalajara; Monterrey
UY Montevideo
CN Beijing=北京=Peking; Shanghai=上海; Shenzhen=深圳; Guangzhou=广州; Hangzhou=杭州; Nanjing=南京; Chengdu=成都; Suzhou=苏州; Wuhan=武汉; Tianjin=天津
TW Taipei=台北=臺北; Hsinchu
JP Tokyo=東京; Osaka=大阪; Kyoto=京都; Nagoya=名古屋; Yokohama=横浜; Fukuoka=福岡
KR Seoul=서울; Busan=부산; Incheon
MY Kuala Lumpur; Penang
TH Bangkok=กรุงเทพ=กรุงเทพฯ
VN Hanoi=Hà Nội; Ho Chi Minh City=Hồ Chí Minh=HCMC=Saigon=Sài Gòn; Da Nang=Đà Nẵng
ID Jakarta; Surabaya; Bandung; Bali
PH Manila; Makati; Cebu; Taguig`;
