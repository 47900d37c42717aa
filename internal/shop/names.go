package shop

import "strings"

// country is where customers, stores and suppliers are, with the names that
// people and places have there.
type country struct {
	name, region       string
	weight             int // share of the customers
	first, last        []string
	cities, streets    []string
	dialling, postcode string // telephone prefix; postal code with # for digits
}

var germanFirst = strings.Fields("Anna Ben Clara David Emma Felix Greta Hannes Ida Jonas Karla Lukas Mia Moritz Nele Oskar Paula Ruben Sophie Theo Ulrike Viktor Wiebke Yannick")
var germanLast = strings.Fields("Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Richter Klein Wolf Schröder Neumann Schwarz Braun Zimmermann Krüger Hartmann Lange Werner Krause Lehmann Köhler Maier Huber Gruber Steiner")

var countries = []country{
	{"Germany", "Central", 20, germanFirst, germanLast,
		strings.Fields("Berlin Hamburg Munich Cologne Leipzig Stuttgart"), strings.Fields("Hauptstraße Gartenweg Bahnhofstraße Lindenallee Schulstraße"), "+49 30", "#####"},
	{"Austria", "Central", 7, germanFirst, germanLast,
		strings.Fields("Vienna Graz Linz Salzburg"), strings.Fields("Ringstraße Bergweg Mozartgasse Kirchplatz"), "+43 1", "####"},
	{"France", "West", 15, strings.Fields("Camille Louis Chloé Hugo Manon Jules Léa Arthur Inès Gabriel Jade Raphaël Louise Adam Alice Paul Rose Nathan Zoé Victor"),
		strings.Fields("Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel Garnier David Bertrand Roux Vincent Fournier Morel Girard Mercier Blanc"),
		strings.Fields("Paris Lyon Marseille Nantes Lille Bordeaux"), []string{"rue Victor Hugo", "rue de la Paix", "avenue Jean Jaurès", "rue des Lilas"}, "+33 1", "#####"},
	{"Netherlands", "West", 8, strings.Fields("Daan Sanne Bram Lotte Sem Femke Lars Eva Thijs Julia Ruben Fleur Stijn Anouk Jesse Maud Niels Iris Koen Roos"),
		[]string{"de Jong", "Jansen", "de Vries", "van den Berg", "Bakker", "van Dijk", "Visser", "Smit", "Meijer", "de Boer", "Mulder", "de Groot", "Bos", "Vos", "Peters", "Hendriks", "van Leeuwen", "Dekker", "Brouwer", "de Wit", "Dijkstra", "Smeets", "van der Linden", "Kok"},
		[]string{"Amsterdam", "Rotterdam", "Utrecht", "The Hague"}, strings.Fields("Dorpsstraat Kerkstraat Molenweg Stationsweg"), "+31 20", "####"},
	{"Spain", "South", 11, strings.Fields("Lucía Mateo Sofía Alejandro Valeria Daniel Carmen Pablo Elena Diego Marta Álvaro Laura Javier Noa Sergio Irene Adrián Nuria Iván"),
		strings.Fields("García Fernández González Rodríguez López Martínez Sánchez Pérez Gómez Jiménez Ruiz Hernández Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos"),
		strings.Fields("Madrid Barcelona Valencia Seville Bilbao"), []string{"Calle Mayor", "Calle Real", "Avenida del Sol", "Plaza Nueva"}, "+34 91", "#####"},
	{"Italy", "South", 11, strings.Fields("Giulia Leonardo Aurora Francesco Ginevra Lorenzo Beatrice Andrea Vittoria Edoardo Chiara Matteo Sara Riccardo Anita Tommaso Elisa Davide Bianca Pietro"),
		strings.Fields("Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Mancini Costa Giordano Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi"),
		strings.Fields("Rome Milan Naples Turin Bologna"), []string{"Via Roma", "Via Garibaldi", "Corso Italia", "Via Dante"}, "+39 06", "#####"},
	{"Sweden", "North", 9, strings.Fields("Alva Erik Astrid Oskar Elsa Nils Maja Axel Freja Gustav Ebba Anton Saga Hjalmar Tuva Sixten Märta Ludvig Signe Olle"),
		strings.Fields("Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson Lindberg Lindström Bergström Sandberg Forsberg Sjöberg Wallin Engström Eklund Lundin Holm Nyström Björk"),
		strings.Fields("Stockholm Gothenburg Malmö Uppsala"), strings.Fields("Storgatan Drottninggatan Skolvägen Björkvägen"), "+46 8", "#####"},
	{"Denmark", "North", 6, strings.Fields("Freja Noah Alma William Clara Oscar Karla Emil Luna Valdemar Agnes Magnus Josefine Aksel Laura Malthe Ida Viggo Asta Storm"),
		strings.Fields("Nielsen Jensen Hansen Pedersen Andersen Christensen Larsen Sørensen Rasmussen Jørgensen Petersen Madsen Kristensen Olsen Thomsen Christiansen Poulsen Johansen Møller Mortensen Knudsen Holst Lund Skov"),
		strings.Fields("Copenhagen Aarhus Odense Aalborg"), strings.Fields("Nørregade Vestergade Skovvej Engvej"), "+45 33", "####"},
	{"Poland", "East", 9, strings.Fields("Zofia Jan Hanna Antoni Maja Jakub Lena Szymon Alicja Filip Oliwia Kacper Julia Wojciech Pola Mikołaj Ewa Adam Iga Tomasz"),
		strings.Fields("Nowak Kowalczyk Wójcik Woźniak Mazur Krawczyk Kaczmarek Zając Król Wróbel Wieczorek Stępień Dudek Pawlak Adamczyk Nowicki Sikora Walczak Baran Michalak Szewczyk Ostrowski Tomczak Pietrzak"),
		strings.Fields("Warsaw Kraków Gdańsk Wrocław"), strings.Fields("Ogrodowa Leśna Polna Słoneczna"), "+48 22", "##-###"},
	{"Czechia", "East", 4, strings.Fields("Eliška Jakub Tereza Tomáš Anežka Vojtěch Barbora Matěj Karolína Ondřej Lucie Filip Klára Marek Nela Štěpán Adéla Šimon Viktorie Dominik"),
		strings.Fields("Novák Svoboda Novotný Dvořák Černý Procházka Kučera Veselý Horák Němec Pokorný Marek Pospíšil Hájek Jelínek Král Růžička Beneš Fiala Sedláček Doležal Zeman Kolář Navrátil"),
		strings.Fields("Prague Brno Ostrava Plzeň"), strings.Fields("Dlouhá Školní Zahradní Nádražní"), "+420 2", "### ##"},
}

// aisle is a category of products with the things that are sold in it.
type aisle struct {
	parent, name string
	weight       float64 // in kilograms, about
	things       []thing
}

type thing struct {
	name  string
	price int // in euros, about
}

var aisles = []aisle{
	{"Kitchen", "Coffee and Tea", 2.4, []thing{{"Espresso Machine", 289}, {"Coffee Grinder", 79}, {"French Press", 29}, {"Teapot", 24}, {"Milk Frother", 45}}},
	{"Kitchen", "Cookware", 4, []thing{{"Frying Pan", 49}, {"Saucepan", 39}, {"Casserole", 95}, {"Wok", 55}, {"Roasting Tin", 35}}},
	{"Kitchen", "Tableware", 3, []thing{{"Dinner Plate", 9}, {"Soup Bowl", 8}, {"Wine Glass", 11}, {"Cutlery Set", 69}, {"Salad Bowl", 19}}},
	{"Garden", "Garden Tools", 2.1, []thing{{"Spade", 29}, {"Rake", 22}, {"Pruning Shears", 26}, {"Watering Can", 19}, {"Hedge Trimmer", 119}}},
	{"Garden", "Outdoor Furniture", 14, []thing{{"Deck Chair", 59}, {"Garden Table", 249}, {"Parasol", 89}, {"Bench", 179}, {"Hammock", 99}}},
	{"Garden", "Plants", 2.5, []thing{{"Lavender", 7}, {"Olive Tree", 54}, {"Tomato Seeds", 4}, {"Rose Bush", 16}, {"Herb Box", 25}}},
	{"Sports", "Cycling", 0.8, []thing{{"Bike Helmet", 65}, {"Bike Lock", 39}, {"Cycling Jersey", 59}, {"Bike Pump", 25}, {"Bike Light", 22}}},
	{"Sports", "Running", 0.5, []thing{{"Running Shoes", 119}, {"Running Shorts", 35}, {"Headband", 12}, {"Running Belt", 19}, {"Wind Jacket", 89}}},
	{"Sports", "Camping", 2.8, []thing{{"Tent", 229}, {"Sleeping Bag", 99}, {"Camping Stove", 49}, {"Headlamp", 32}, {"Backpack", 110}}},
	{"Electronics", "Audio", 2.2, []thing{{"Headphones", 139}, {"Loudspeaker", 199}, {"Soundbar", 249}, {"Record Player", 329}, {"Radio", 69}}},
	{"Electronics", "Computing", 2.9, []thing{{"Laptop", 949}, {"Monitor", 269}, {"Keyboard", 59}, {"Mouse", 29}, {"Webcam", 75}}},
	{"Electronics", "Smart Home", 1.4, []thing{{"Thermostat", 159}, {"Doorbell Camera", 179}, {"Smart Plug", 19}, {"Light Strip", 45}, {"Robot Vacuum", 349}}},
	{"Books", "Novels", 0.4, []thing{{"Crime Novel", 14}, {"Love Story", 12}, {"Family Saga", 19}, {"Thriller", 15}, {"Short Stories", 11}}},
	{"Books", "Cookbooks", 0.9, []thing{{"Baking Book", 24}, {"Vegetarian Cookbook", 29}, {"Pasta Cookbook", 22}, {"Soup Cookbook", 18}, {"Grill Cookbook", 26}}},
	{"Books", "Travel Guides", 0.5, []thing{{"City Guide", 16}, {"Hiking Guide", 19}, {"Road Trip Guide", 22}, {"Island Guide", 14}, {"Museum Guide", 18}}},
	{"Toys", "Board Games", 1.0, []thing{{"Strategy Game", 45}, {"Card Game", 12}, {"Dice Game", 17}, {"Puzzle", 21}, {"Quiz Game", 29}}},
	{"Toys", "Building Sets", 1.6, []thing{{"Castle Set", 79}, {"Train Set", 129}, {"Rocket Set", 65}, {"Farm Set", 49}, {"Bridge Set", 35}}},
	{"Toys", "Soft Toys", 0.3, []thing{{"Teddy Bear", 25}, {"Plush Rabbit", 19}, {"Plush Whale", 32}, {"Hand Puppet", 15}, {"Plush Fox", 22}}},
	{"Clothing", "Jackets", 1.1, []thing{{"Rain Jacket", 119}, {"Down Jacket", 199}, {"Denim Jacket", 89}, {"Fleece Jacket", 79}, {"Parka", 229}}},
	{"Clothing", "Knitwear", 0.4, []thing{{"Wool Sweater", 85}, {"Cardigan", 69}, {"Scarf", 29}, {"Beanie", 22}, {"Mittens", 19}}},
	{"Clothing", "Footwear", 1.0, []thing{{"Sneakers", 89}, {"Hiking Boots", 139}, {"Sandals", 45}, {"Slippers", 32}, {"Rubber Boots", 39}}},
	{"Office", "Stationery", 0.3, []thing{{"Notebook", 8}, {"Fountain Pen", 59}, {"Calendar", 17}, {"Pencil Case", 12}, {"Letter Paper", 15}}},
	{"Office", "Desks and Chairs", 19, []thing{{"Standing Desk", 489}, {"Office Chair", 289}, {"Footrest", 35}, {"Desk Shelf", 69}, {"Drawer Unit", 159}}},
	{"Office", "Lighting", 2, []thing{{"Desk Lamp", 49}, {"Floor Lamp", 99}, {"Reading Light", 29}, {"Ceiling Lamp", 85}, {"Clip Lamp", 19}}},
}

// lines are the makes that every thing is sold in.
var lines = []string{"Alto", "Borealis", "Cascade", "Delphi"}

var supplierNames = []string{
	"Nordic Home Trading", "Alpine Goods", "Baltic Supply", "Casa Bella", "Delta Imports", "Euro Outdoor", "Fabrik Nord", "Green Thumb",
	"Hansa Wholesale", "Iberia Textiles", "Jura Craft", "Kraków Woodworks", "Lyon Lighting", "Mare Nostrum", "Novatech", "Orchard Press",
	"Paper and Ink", "Quality Toys", "Rheinland Audio", "Silva Furniture", "Tulip Gardens", "Union Sports", "Vienna Kitchen", "Westwind Cycling",
}

var carriers = []string{"DHL", "UPS", "GLS", "PostNord"}

var returnReasons = []string{"damaged", "wrong size", "not as described", "changed mind", "arrived late"}

// reviewTitles by stars.
var reviewTitles = [6][]string{
	1: {"Broke after a week", "Very disappointed", "Do not buy"},
	2: {"Not what I expected", "Rather weak", "Poor quality"},
	3: {"It does the job", "Average", "Fine for the price"},
	4: {"Good value", "Happy with it", "Works well"},
	5: {"Excellent", "Would buy again", "Love it"},
}
