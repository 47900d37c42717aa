// Package eval measures how often askpg is right: it reads question sets and loads their databases into real servers. It
// asks every question of one or several systems side by side, compares the rows with those of the gold SQL, and writes a
// report.
package eval
