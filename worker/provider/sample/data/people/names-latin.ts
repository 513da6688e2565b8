// Given and family names of people, by culture, where they are written in Latin letters.
import { list } from '../../vocabulary.ts';

/**
 * The names of one culture. An entry is `text`, or `text|slug` where the address needs its own spelling; a family
 * name that differs between men and women is written `man/woman|slug/slug`.
 */
export interface NameTable {
  key: string;
  /** written in Latin letters */
  latin: boolean;
  /** the family name stands first when written in its own script */
  familyFirst: boolean;
  /** people carry a second family name, per mille */
  second: number;
  women: readonly string[];
  men: readonly string[];
  family: readonly string[];
}

function table(
  key: string,
  women: string,
  men: string,
  family: string,
  more: Partial<NameTable> = {},
): NameTable {
  return {
    key,
    latin: true,
    familyFirst: false,
    second: 0,
    women: list(women),
    men: list(men),
    family: list(family),
    ...more,
  };
}

export const LATIN_NAMES: readonly NameTable[] = [
  table(
    'english',
    'Abigail; Alice; Amelia; Amy; Bethany; Caitlin; Charlotte; Claire; Danielle; Eleanor; Emily; Erin; Grace; Hannah; Harriet; Heather; Holly; Jessica; Joanna; Karen; Kate; Laura; Lauren; Lucy; Margaret; Megan; Molly; Natalie; Nicole; Olivia; Paige; Philippa; Rachel; Rebecca; Rosalind; Samantha; Sarah; Stephanie; Tamsin; Victoria; Zoe',
    'Aaron; Adam; Alan; Andrew; Benjamin; Brian; Callum; Charles; Christopher; Connor; Craig; Daniel; Duncan; Edward; Elliot; Ethan; Gareth; George; Graham; Harry; Ian; Jack; James; Jeremy; Joel; Jonathan; Joshua; Keith; Kevin; Liam; Luke; Matthew; Nathan; Neil; Oliver; Owen; Patrick; Peter; Rory; Simon; Stuart; Thomas; Timothy; William',
    'Aldridge; Ashby; Atwell; Bainbridge; Barlow; Beckett-Shaw; Birch; Blackwood; Bradshaw; Brockway; Calloway; Carmody; Chadwick; Clifford; Colburn; Crabtree; Dawlish; Denholm; Dunmore; Eastham; Ellison; Fairley; Fenwick; Finnegan; Garland; Goddard; Halloran; Hathersage; Hollis; Hubbard; Ingham; Jarvis; Kirkbride; Langley; Ledbetter; Lockhart; Lowther; Maddox; Marchbank; McAllister; McCready; McTavish; Merriweather; Millard; Mulholland; Nickerson; Norcross; Oakes; Overton; Parkhurst; Pettigrew; Plummer; Prescott; Quigley; Radcliffe-Hayes; Redfern; Ridgeway; Rutledge; Sadler; Scofield; Sheridan; Skelton; Stanhope; Stockwell; Tattersall; Thornbury; Tillman; Underwood; Vaughan; Wainwright; Walcott; Weatherby; Whitlock; Winslow; Woodruff; Yardley; Yarborough',
  ),
  table(
    'irish',
    'Aoife; Ciara; Eimear; Fionnuala; Gráinne; Maeve; Niamh; Orla; Róisín; Siobhán; Sinéad',
    'Cian; Cormac; Darragh; Declan; Diarmuid; Eoin; Fergal; Oisín; Pádraig; Ronan; Tadhg',
    'Ó Dálaigh; Breathnach; Cunniffe; Delahunty; Fitzgibbon; Geraghty; Heffernan; Kilbride; Mac Giolla; McInerney; Ní Shúilleabháin-Roe; O’Dowd; O’Hanrahan; O’Loughlin; Prendergast; Tierney',
  ),
  table(
    'german',
    'Andrea; Anja; Annika; Antje; Birgit; Britta; Carolin; Franziska; Friederike; Gudrun; Hannelore; Heike; Ines; Jana; Katharina; Katrin; Lena; Leonie; Lisa-Marie; Maike; Marlene; Melanie; Mona; Nadine; Petra; Sabine; Sandra; Silke; Sonja; Svenja; Tanja; Ulrike; Ute; Vanessa',
    'Alexander; Andreas; Axel; Bastian; Benedikt; Bernd; Christoph; Clemens; Dietmar; Fabian; Felix; Florian; Georg; Gerhard; Günter; Hannes; Henning; Holger; Jan; Jens; Jochen; Jonas; Kai; Konrad; Lars; Markus; Matthias; Moritz; Niklas; Oliver; Ralf; Rüdiger; Sebastian; Stefan; Steffen; Sven; Thorsten; Tobias; Uwe; Volker; Wolfgang',
    'Ackermann; Amslinger; Baumgärtner; Birkholz; Blaschke; Brinkmann; Buchwald; Dannenberg; Diepholz; Eberle; Eichhorn; Feldkamp; Finkbeiner; Gärtner; Gerstenberg; Grabowski; Haberkorn; Hagemeister; Heidkamp; Hintermeier; Höfling; Jäger; Kettenbach; Kirchhoff; Kniephoff; Köhler; Krämer; Kühnel; Lehmkuhl; Lindenau; Löffler; Mahnke; Meißner; Nagel; Niederbauer; Oberländer; Oelkers; Pfaffinger; Pohlmann; Rademacher; Reinhold; Rosenthaler; Sauerbrey; Schäfer; Schönfelder; Seidensticker; Stührmann; Tiedemann; Trautwein; Uhlig; Vogelsang; Wachsmuth; Weidinger; Wiesenthaler; Wüstefeld; Zellweger; Zimmerer',
  ),
  table(
    'french',
    'Amandine; Anaïs; Anne-Laure; Aurélie; Camille; Céline; Chloé; Clémence; Delphine; Élodie; Estelle; Fanny; Gaëlle; Hélène; Inès; Isabelle; Juliette; Laetitia; Léa; Manon; Margaux; Mathilde; Nathalie; Océane; Pauline; Sandrine; Solène; Sylvie; Valérie; Virginie',
    'Adrien; Alexandre; Antoine; Arnaud; Baptiste; Benoît; Cédric; Clément; Didier; Étienne; Fabien; Florent; Guillaume; Hugo; Jérôme; Jean-Marc; Julien; Laurent; Loïc; Mathieu; Maxime; Nicolas; Olivier; Pascal; Philippe; Quentin; Rémi; Romain; Sébastien; Thierry; Vincent; Xavier; Yann',
    'Aubertin; Barbezieux; Beaulieu; Besnard; Boissonnet; Bourguignon; Cazeneuve; Chabrol; Chauvet; Coquelin; Courtade; Delaunay; Desmarais; Dufresne; Escoffier; Fauconnier; Gauthier; Girardot; Grandjean; Guérin; Hautecœur; Jolivet; Labrousse; Lacombe; Lefebvre; Lemoine; Maillard; Marchal; Montfort; Morvan; Noirmoutier; Paquet; Pelletier; Perrault; Picard; Rivoire; Rousselot; Sauvage; Tessier; Tremblay; Vasseur; Verdier; Villeneuve',
  ),
  table(
    'spanish',
    'Alejandra; Alicia; Ana María; Beatriz; Carmen; Carolina; Daniela; Elena; Gabriela; Inmaculada; Isabel; Laura; Lorena; Lucía; María José; Marisol; Marta; Mónica; Natalia; Noelia; Nuria; Paola; Patricia; Pilar; Raquel; Rocío; Rosa; Silvia; Sofía; Valentina; Verónica; Ximena',
    'Alejandro; Álvaro; Andrés; Antonio; Carlos; Cristian; Daniel; Diego; Eduardo; Emilio; Enrique; Esteban; Federico; Fernando; Francisco; Gonzalo; Gustavo; Héctor; Hernán; Ignacio; Iván; Jaime; Javier; Joaquín; Jorge; José Luis; Juan Carlos; Luis; Manuel; Mauricio; Miguel; Nicolás; Óscar; Pablo; Rafael; Ricardo; Rodrigo; Rubén; Santiago; Tomás; Víctor',
    'Alcántara; Arriaga; Barrientos; Bermúdez; Caballero; Calderón; Cárdenas; Castaño; Cienfuegos; Cordero; Escalante; Espinoza; Figueroa; Gallardo; Garrido; Granados; Guerrero; Ibarra; Izquierdo; Jaramillo; Maldonado; Manrique; Mendieta; Montoya; Navarrete; Ocampo; Olivares; Pacheco; Peñaranda; Quintero; Quiroga; Rebolledo; Rentería; Saavedra; Salcedo; Sandoval; Sepúlveda; Tejada; Urrutia; Valdivieso; Vergara; Villalobos; Zúñiga',
    { second: 480 },
  ),
  table(
    'portuguese',
    'Adriana; Aline; Ana Paula; Bárbara; Bianca; Bruna; Camila; Catarina; Cláudia; Débora; Fernanda; Flávia; Gabriela; Inês; Joana; Juliana; Larissa; Letícia; Luana; Luciana; Mafalda; Mariana; Patrícia; Priscila; Renata; Simone; Tatiana; Vanessa',
    'Afonso; André; Antônio; Bernardo; Bruno; Caio; Davi; Duarte; Edson; Fábio; Felipe; Gabriel; Gilberto; Guilherme; Gustavo; Henrique; João; João Paulo; José; Leandro; Leonardo; Lucas; Luiz; Marcelo; Márcio; Mateus; Murilo; Nuno; Otávio; Paulo; Rafael; Renato; Rodrigo; Rui; Thiago; Tiago; Vinícius; Wagner',
    'Albuquerque; Amorim; Antunes; Assunção; Azevedo; Barreto; Bittencourt; Brandão; Cardoso; Carvalhal; Cavalcanti; Coutinho; Damasceno; Fagundes; Falcão; Fonseca; Furtado; Gonçalves; Lacerda; Macedo; Medeiros; Meireles; Mendonça; Nogueira; Pimentel; Rezende; Sampaio; Serrano; Siqueira; Tavares; Teixeira; Vilela; Xavier',
    { second: 320 },
  ),
  table(
    'italian',
    'Alessia; Anna; Arianna; Barbara; Beatrice; Chiara; Cristina; Elisa; Federica; Francesca; Giada; Giorgia; Giulia; Ilaria; Laura; Martina; Michela; Paola; Roberta; Sara; Serena; Silvia; Valentina',
    'Alberto; Alessandro; Andrea; Antonio; Davide; Emanuele; Fabrizio; Filippo; Francesco; Giacomo; Giovanni; Giuseppe; Lorenzo; Luca; Marco; Matteo; Michele; Nicola; Paolo; Pietro; Riccardo; Salvatore; Simone; Stefano; Tommaso',
    'Agostinelli; Barbagallo; Bellandi; Benvenuti; Bonfanti; Brambilla; Cantarella; Caputo; Castellani; Cattaneo; Cavallaro; Colombini; D’Amico; De Santis; Fabbri; Fontanelli; Galimberti; Gattuso; Giordani; Guerrini; Locatelli; Lombardo; Maggiore; Mantovani; Marchesi; Moretti; Orlandini; Pellegrino; Piccinini; Ravelli; Rinaldi; Salvatori; Tarantino; Trevisan; Valentini; Vitali; Zanetti',
  ),
  table(
    'dutch',
    'Annelies; Anouk; Eline; Femke; Fleur; Hanneke; Ilse; Inge; Jolien; Karin; Lieke; Lotte; Maaike; Marieke; Marloes; Nienke; Renske; Roos; Saskia; Sanne; Tessa; Yvonne',
    'Arjan; Bart; Bas; Casper; Daan; Dirk; Erik; Gijs; Hendrik; Jasper; Jeroen; Joost; Koen; Maarten; Marijn; Mark; Niels; Pieter; Rik; Ruben; Sander; Sjoerd; Thijs; Tim; Tom; Willem; Wouter',
    'Aerts; Bakhuizen; Blankenstein; Boogaard; Boonstra; Brouwers; de Graaf; de Ruyter; Dekkers; Dijkgraaf; Hoekstra; Huisman; Jansma; Kloosterman; Koopmans; Kuiper; Langeveld; Maes; Meijerink; Noordhoek; Peeters; Rietveld; Schuurman; Slagter; Steenbergen; Terpstra; van Beek; van den Broek; van der Meer; van Dongen; Vandenberghe; Verhoeven; Vermeulen; Visser; Vos; Wiersma; Zandstra; Zijlstra',
  ),
  table(
    'polish',
    'Agnieszka; Aleksandra; Alicja; Anna; Barbara; Beata; Dorota; Ewa; Iwona; Joanna; Justyna; Karolina; Katarzyna; Magdalena; Małgorzata; Marta; Monika; Natalia; Paulina; Sylwia; Weronika; Zuzanna',
    'Adam; Andrzej; Bartosz; Dariusz; Dawid; Grzegorz; Jakub; Jarosław; Kamil; Krzysztof; Łukasz; Maciej; Marcin; Marek; Mateusz; Michał; Paweł; Piotr; Przemysław; Rafał; Sebastian; Tomasz; Wojciech',
    'Adamczyk; Baranowski/Baranowska; Bednarek; Borkowski/Borkowska; Chmielewski/Chmielewska; Cieślak; Dudek; Gajewski/Gajewska; Głowacki/Głowacka; Górski/Górska; Jabłoński/Jabłońska; Kaczmarek; Kołodziej; Kubiak; Lisowski/Lisowska; Makowski/Makowska; Malinowski/Malinowska; Nowicki/Nowicka; Olszewski/Olszewska; Pawlak; Piotrowski/Piotrowska; Rutkowski/Rutkowska; Sadowski/Sadowska; Sikora; Stępień; Szczepański/Szczepańska; Szymczak; Urbaniak; Walczak; Wieczorek; Wilk; Wróbel; Zawadzki/Zawadzka; Ziółkowski/Ziółkowska',
  ),
  table(
    'turkish',
    'Aslı; Ayşe; Başak; Büşra; Ceren; Deniz; Derya; Ebru; Ece; Elif; Esra; Gizem; Gülşah; Hatice; İrem; Melis; Merve; Nazlı; Pınar; Seda; Selin; Sevgi; Tuğba; Zeynep',
    'Ahmet; Alper; Barış; Berk; Burak; Can; Cem; Emre; Engin; Eren; Fatih; Gökhan; Hakan; Halil; İbrahim; Kaan; Kerem; Levent; Mehmet; Murat; Mustafa; Oğuz; Okan; Onur; Ozan; Serkan; Tolga; Umut; Volkan; Yusuf',
    'Acar; Akbulut; Akın; Alkan; Altıntaş; Arıkan; Aydemir; Bayraktar; Bulut; Cengiz; Çakır; Çelebi; Çetinkaya; Dağdelen; Demirci; Durmaz; Ekinci; Ergün; Güler; Günaydın; İnce; Karabulut; Karahan; Kocabaş; Köksal; Özbek; Özcan; Öztürkmen; Sarıkaya; Sezgin; Şentürk; Taşkın; Tekin; Toprak; Tuncer; Uysal; Ünlü; Yalçın; Yavuzer; Yıldızhan',
  ),
  table(
    'swedish',
    'Astrid; Ebba; Elin; Emma; Frida; Ida; Ingrid; Johanna; Karin; Klara; Linnea; Malin; Matilda; Moa; Sofia; Therese',
    'Albin; Anders; Axel; Björn; Emil; Erik; Fredrik; Gustav; Henrik; Johan; Jonas; Lars; Magnus; Mattias; Mikael; Nils; Oskar; Per; Viktor',
    'Ahlström; Bergqvist; Björklund; Dahlgren; Ekström; Engdahl; Forsberg; Fransson; Granlund; Hallgren; Hedlund; Holmquist; Lundström; Nordqvist; Nyberg; Rosengren; Sandström; Sjöholm; Söderlund; Wallin; Wikström; Åkesson; Öhman',
  ),
  table(
    'norwegian',
    'Anne; Bente; Camilla; Guro; Hanne; Hege; Ingvild; Kristin; Marit; Ragnhild; Randi; Silje; Solveig; Tone',
    'Are; Eirik; Espen; Geir; Håkon; Håvard; Kjetil; Knut; Morten; Odd; Sigurd; Sindre; Stian; Terje; Tor',
    'Aasen; Bakken; Bjerke; Brekke; Fjeldstad; Haugland; Hegge; Iversen; Kvamme; Moen; Myhre; Rønning; Skaug; Solheim; Strand; Tveit; Vik; Ødegård',
  ),
  table(
    'danish',
    'Birgitte; Charlotte; Dorte; Freja; Helle; Kirsten; Lone; Mette; Rikke; Sidsel; Signe; Tine',
    'Asger; Brian; Casper; Jeppe; Jesper; Kasper; Mads; Mikkel; Niels; Rasmus; Søren; Troels',
    'Bjerregaard; Dalgaard; Friis; Gravesen; Højgaard; Kjeldsen; Lykke; Nygaard; Overgaard; Ravn; Skovgaard; Thygesen; Toft; Vestergaard',
  ),
  table(
    'finnish',
    'Aino; Anni; Eeva; Hanna; Heidi; Iida; Johanna; Kaisa; Laura; Maarit; Minna; Noora; Outi; Päivi; Riikka; Saara',
    'Antti; Eero; Harri; Ilkka; Jari; Juha; Jussi; Kalle; Lauri; Matti; Mikko; Olli; Pekka; Sami; Tapio; Timo; Ville',
    'Aaltonen; Hakala; Heikkilä; Heinonen; Hietala; Kallio; Kinnunen; Korpela; Laakso; Lehtonen; Mäkelä; Niskanen; Nurmi; Ojala; Rantanen; Saarela; Savolainen; Toivonen; Tuominen; Vainio',
  ),
  table(
    'estonian',
    'Kadri; Kristi; Liis; Maarja; Merike; Piret; Triin',
    'Indrek; Kaarel; Margus; Rein; Tanel; Toomas; Urmas',
    'Kask; Kuusk; Laas; Mägi; Pärn; Raudsepp; Rebane; Tamm; Vaher',
  ),
  table(
    'lithuanian',
    'Agnė; Eglė; Ieva; Jolanta; Rasa; Rūta; Vaida',
    'Andrius; Darius; Gediminas; Mindaugas; Rokas; Tomas; Vytautas',
    'Butkus/Butkienė; Kazlauskas/Kazlauskienė; Navickas/Navickienė; Petrauskas/Petrauskienė; Stankevičius/Stankevičienė; Urbonas/Urbonienė; Žukauskas/Žukauskienė',
  ),
  table(
    'czech',
    'Alena; Barbora; Eva; Hana; Ivana; Jana; Jitka; Kateřina; Lenka; Lucie; Markéta; Michaela; Petra; Tereza; Veronika; Zdeňka',
    'David; Filip; Jakub; Jan; Jaroslav; Jiří; Karel; Ladislav; Lukáš; Martin; Milan; Ondřej; Pavel; Petr; Radek; Tomáš; Václav; Vojtěch; Zdeněk',
    'Bartoš/Bartošová; Beneš/Benešová; Čermák/Čermáková; Doležal/Doležalová; Fiala/Fialová; Hájek/Hájková; Horák/Horáková; Jelínek/Jelínková; Kadlec/Kadlecová; Kolář/Kolářová; Kopecký/Kopecká; Kratochvíl/Kratochvílová; Malý/Malá; Marek/Marková; Navrátil/Navrátilová; Pospíšil/Pospíšilová; Růžička/Růžičková; Sedláček/Sedláčková; Šimek/Šimková; Urban/Urbanová; Vaněk/Vaňková; Zeman/Zemanová',
  ),
  table(
    'romanian',
    'Adina; Alexandra; Ana-Maria; Andreea; Bianca; Corina; Cristina; Diana; Elena; Gabriela; Ioana; Irina; Loredana; Mihaela; Oana; Raluca; Simona',
    'Adrian; Alexandru; Bogdan; Călin; Ciprian; Cosmin; Cristian; Dan; Dragoș; Florin; Gheorghe; Ionuț; Lucian; Marius; Mihai; Octavian; Radu; Răzvan; Sorin; Vlad',
    'Anghelescu; Bălan; Barbu; Ciobanu; Cojocaru; Constantinescu; Crăciun; Diaconu; Dobre; Drăgan; Filip; Grigorescu; Iordache; Lungu; Manea; Mocanu; Moldoveanu; Munteanu; Nistor; Oprea; Petcu; Preda; Rusu; Sârbu; Tudose; Ungureanu; Văduva',
  ),
  table(
    'indian',
    'Aditi; Aishwarya; Anjali; Anushree; Asha; Deepika; Divya; Gayatri; Ishita; Kavita; Kavya; Lakshmi; Meenakshi; Megha; Nandini; Neha; Nisha; Pallavi; Pooja; Prachi; Radhika; Ritu; Shalini; Shreya; Sneha; Sunita; Swati; Tanvi; Vidya',
    'Abhishek; Aditya; Ajay; Akash; Amit; Anand; Ankit; Arjun; Arvind; Ashwin; Deepak; Ganesh; Gaurav; Harish; Karthik; Manish; Mohan; Naveen; Nikhil; Nitin; Pradeep; Prakash; Rahul; Rajesh; Ramesh; Rohan; Sandeep; Sanjay; Siddharth; Suresh; Varun; Venkat; Vikram; Vivek; Yash',
    'Ahluwalia; Bhardwaj; Bhattacharjee; Chakravarthy; Chauhan; Deshpande; Dixit; Gokhale; Goswami; Hegde; Iyengar; Jaiswal; Joshipura; Karnik; Khandelwal; Kulkarni; Mahajan; Mehrotra; Mukherjee; Nambiar; Narayanan; Padmanabhan; Pandya; Pillai; Raghavan; Ramanathan; Rathore; Sahasrabudhe; Saxena; Shenoy; Shetty; Srinivasan; Subramaniam; Thakur; Upadhyay; Venkataraman; Verghese; Wadhwa',
  ),
  table(
    'southasian',
    'Aisha; Ambreen; Farzana; Fatima; Hina; Iqra; Mariam; Nadia; Nusrat; Rabia; Saima; Sana; Shaista; Sharmin; Tahmina; Zainab',
    'Adeel; Asif; Bilal; Faisal; Farhan; Hamza; Imran; Junaid; Kamran; Mahmud; Nadeem; Omar; Rashid; Rizwan; Shahid; Tariq; Usman; Waqas; Zubair',
    'Abbasi; Ansari; Awan; Bhuiyan; Chaudhary; Chowdhury; Farooqi; Haider; Hossain; Janjua; Kazmi; Lodhi; Mirza; Rehman; Sarkar; Shafiq; Siddiqui; Talukdar; Zaman',
  ),
  table(
    'westafrican',
    'Abena; Adaeze; Adwoa; Akosua; Amaka; Blessing; Bukola; Chiamaka; Chidinma; Efua; Esi; Folake; Funmilayo; Ifeoma; Ngozi; Nkechi; Oluchi; Temitope; Yetunde',
    'Ayodele; Babatunde; Chidi; Chinedu; Ebenezer; Emeka; Femi; Ikenna; Kofi; Kojo; Kwabena; Kwame; Kwesi; Obinna; Oluwaseun; Segun; Tunde; Uche; Yaw',
    'Acheampong; Adebowale; Adeyemi; Adomako; Afolabi; Agyeman; Akinwale; Amoah; Ansah; Asante-Boadu; Boateng; Chukwuma; Danquah; Eze; Ibekwe; Igwe; Mensah; Nnamdi; Nwosu; Obioma; Odunsi; Ogunleye; Olatunji; Onyekachi; Opoku; Osei; Owusu; Uzoma',
  ),
  table(
    'kenyan',
    'Achieng; Akinyi; Atieno; Chebet; Faith; Jelimo; Mercy; Mumbi; Njeri; Nyambura; Purity; Wambui; Wanjiku',
    'Barasa; Brian; Dennis; Evans; Juma; Kamau; Kariuki; Kevin; Mutua; Mwangi; Njoroge; Ochieng; Wafula',
    'Chepkoech; Gichuru; Githinji; Karanja; Kibet; Kimani; Macharia; Makau; Muriithi; Musyoka; Njuguna; Odhiambo; Omondi; Wekesa',
  ),
  table(
    'southafrican',
    'Anneke; Elmarie; Lerato; Lindiwe; Nomvula; Palesa; Sharon; Thandiwe; Zanele',
    'Bongani; Gerhard; Johan; Mpho; Riaan; Sipho; Thabo; Themba; Wayne',
    'Bezuidenhout; Dlamini; Govender; Khumalo; Mabaso; Mahlangu; Mokoena; Molefe; Naidoo; Ndlovu; Nkosi; Oosthuizen; Sithole; Terblanche; van Niekerk; Zwane',
  ),
  table(
    'vietnamese',
    'Bích Ngọc|bich-ngoc; Hạnh|hanh; Hồng Nhung|hong-nhung; Lan Anh|lan-anh; Linh|linh; Mai Phương|mai-phuong; Ngọc Ánh|ngoc-anh; Quỳnh|quynh; Thảo|thao; Thanh Hà|thanh-ha; Thu Trang|thu-trang; Yến|yen',
    'Anh Tuấn|anh-tuan; Bảo|bao; Đức|duc; Hải|hai; Hoàng Long|hoang-long; Hùng|hung; Khôi|khoi; Minh Quân|minh-quan; Nam|nam; Phong|phong; Quang Huy|quang-huy; Thành|thanh; Tiến|tien',
    'Bùi|bui; Đặng|dang; Đinh|dinh; Đoàn|doan; Dương|duong; Hồ|ho; Hoàng|hoang; Huỳnh|huynh; Lâm|lam; Lương|luong; Mạc|mac; Ngô|ngo; Nguyễn|nguyen; Phạm|pham; Phan|phan; Tạ|ta; Trần|tran; Trịnh|trinh; Võ|vo',
    { familyFirst: true },
  ),
  table(
    'indonesian',
    'Ayu; Citra; Dewi; Dian; Fitri; Indah; Kartika; Lestari; Maya; Nurul; Putri; Ratna; Rina; Sari; Siti; Wulan',
    'Adi; Agus; Andi; Arief; Bagus; Bayu; Budi; Dimas; Eko; Fajar; Galih; Hendra; Iwan; Rizky; Surya; Teguh; Wahyu; Yoga',
    'Anggraini; Hadiputra; Halim; Hidayat; Kurniawan; Kusuma; Lubis; Maharani; Nasution; Pranata; Prasetyo; Pratama; Purnomo; Rahardjo; Saputra; Simatupang; Siregar; Sitorus; Sulistyo; Susanto; Utami; Wibowo; Wijaya; Yulianto',
  ),
  table(
    'filipino',
    'Angelica; Cherry; Divina; Jasmine; Jennylyn; Joy; Kristine; Liezel; Maricel; Michelle; Princess; Rhea; Rowena; Sheila',
    'Arnel; Christian; Dennis; Edgar; Jayson; Jerome; Jomar; Joseph; Kenneth; Mark Anthony; Melvin; Ramil; Reynaldo; Rommel; Ryan',
    'Abalos; Bacani; Cabrera-Lim; Catindig; Cayabyab; Dela Cruz; Dimaculangan; Evangelista; Gatchalian; Ilagan; Lacsamana; Macaraeg; Magbanua; Manalo; Panganiban; Pangilinan; Quizon; Salonga-Reyes; Sumulong; Tolentino; Villanueva; Yumul',
  ),
  table(
    'singaporean',
    'Hui Ling; Jia Hui; Li Ting; Mei Xuan; Pei Shan; Shu Min; Siew Lan; Wei Ling; Xin Yi; Yan Ting',
    'Boon Keng; Chee Wai; Jun Jie; Kah Seng; Kok Leong; Ming Hao; Wei Jie; Wei Ming; Yong Sheng; Zhi Hao',
    'Ang; Chia; Chng; Chua; Foo; Goh; Heng; Koh; Kwek; Leow; Loh; Neo; Ong; Phua; Quek; Seah; Sim; Soh; Tay; Teo; Toh; Yeo',
    { familyFirst: true },
  ),
];
